package org.evenweave.app.sdd;

import static org.evenweave.app.sdd.FakeOnos.HERE;
import static org.evenweave.app.sdd.FakeOnos.THERE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.VirtualExecutor;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.session.FakeClient;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.cluster.NodeId;

/** The next leader's controller stands by for the leader's. */
class SddManagerStandbyTest {
  private static final NodeId THIRD = NodeId.nodeId("third");

  /** Later than any generation of this test. */
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

  private static final int HOSTS = 3;

  @TempDir static Path temporary;

  private final FakeOnos.Configs configs = new FakeOnos.Configs();
  private final FakeOnos.Leaderships leaderships = new FakeOnos.Leaderships();
  private final VirtualExecutor executor = new VirtualExecutor();
  private final List<FakeClient> hosts = new ArrayList<>();
  private Path keys;
  private SddManager manager;

  @BeforeEach
  void activate() throws Exception {
    keys = SessionBed.keys(temporary.resolve("keys"));
    manager = FakeOnos.manager(leaderships, configs);
    manager.startOn(executor);
  }

  @AfterEach
  void deactivate() throws IOException {
    for (FakeClient host : hosts) {
      host.close();
    }
    manager.deactivate();
  }

  private void configure(String listen, String more) {
    configs.apply(
        "{\"hosts\":[\"h0\",\"h1\",\"h2\"],\"listen\":\""
            + listen
            + ":0\",\"keys\":\""
            + keys
            + "\""
            + more
            + "}");
    settle();
  }

  private void elect(NodeId leader, NodeId... others) {
    leaderships.elect(leader, others);
    settle();
  }

  private void settle() {
    executor.pass(0, TimeUnit.SECONDS);
  }

  private SddController here() {
    return manager.controller().orElseThrow();
  }

  private boolean leads() {
    return here().leadership().leads();
  }

  /** All hosts connect, and decline their welcome, as they follow a later controller. */
  private void overtake() throws Exception {
    int port = here().address().getPort();
    InetSocketAddress near = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    long later = here().leadership().generation() + HOUR_NS;
    for (int i = 0; i < HOSTS; i++) {
      String name = "h" + i;
      FakeClient host =
          FakeClient.greeting(
              near, keys, name, ClientFrames.hostHello(name, 1, 1_000_000, 9, i + 1));
      hosts.add(host);
      host.send(ClientFrames.following(later, true));
      int waiting = i + 1;
      SessionBed.await(name + " to count", () -> here().leadership().waiting() == waiting);
    }
    assertFalse(leads());
  }

  @Test
  void theNextLeaderStandsByUntilItIsElected() {
    elect(THERE, HERE, THIRD);
    configure("0.0.0.0", "");
    assertEquals(Optional.of(THERE), manager.instance());
    assertEquals(Optional.of(HERE), manager.standby());
    SddController standing = here();
    assertFalse(leads());
    elect(HERE, THIRD);
    assertSame(standing, here());
    assertTrue(leads());
    assertEquals(Optional.of(THIRD), manager.standby());
  }

  @Test
  void othersRunNone() {
    elect(THERE, THIRD, HERE);
    configure("0.0.0.0", "");
    assertEquals(Optional.empty(), manager.controller());
    elect(THIRD, HERE);
    assertFalse(leads());
    elect(THIRD);
    assertEquals(Optional.empty(), manager.controller());
  }

  @Test
  void nobodyStandsByWhereHostsKnowOneAddressOnly() {
    elect(THERE, HERE);
    configure("127.0.0.1", "");
    assertEquals(Optional.empty(), manager.standby());
    assertEquals(Optional.empty(), manager.controller());
    configure("0.0.0.0", ",\"instance\":\"there\"");
    assertEquals(Optional.empty(), manager.standby());
    assertEquals(Optional.empty(), manager.controller());
  }

  @Test
  void aLeaderThatIsToStandByDoes() {
    elect(HERE, THERE);
    configure("0.0.0.0", ",\"standby\":true");
    assertFalse(leads());
    elect(THERE, HERE);
    elect(HERE);
    assertFalse(leads());
  }

  @Test
  void anOvertakenLeaderLeadsAgain() throws Exception {
    elect(HERE, THERE);
    configure("0.0.0.0", "");
    long first = here().leadership().generation();
    overtake();
    executor.pass(SddManager.RECONCILE_SECONDS, TimeUnit.SECONDS);
    assertTrue(here().leadership().generation() > first + HOUR_NS);
  }

  @Test
  void anOvertakenLeaderGivesWayIfTheStoreKnowsOfAnother() throws Exception {
    elect(HERE, THERE);
    configure("0.0.0.0", "");
    leaderships.registration = () -> leaderships.leader = THERE;
    overtake();
    executor.pass(SddManager.RECONCILE_SECONDS, TimeUnit.SECONDS);
    assertFalse(leads());
  }

  @Test
  void aLoneInstanceStandsByForWhoHasOvertakenIt() throws Exception {
    elect(HERE);
    configure("0.0.0.0", "");
    overtake();
    executor.pass(2 * SddManager.RECONCILE_SECONDS, TimeUnit.SECONDS);
    assertFalse(leads());
  }
}
