package org.evenweave.app.sdd;

import static org.evenweave.app.sdd.FakeOnos.HERE;
import static org.evenweave.app.sdd.FakeOnos.THERE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.VirtualExecutor;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.FakeClient;
import org.evenweave.sdd.session.FakeHost;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real controller, on the Netty that ONOS has, and an ONOS that says what it is told. */
class SddManagerTest {
  @TempDir static Path temporary;

  private final FakeOnos.Configs configs = new FakeOnos.Configs();
  private final FakeOnos.Leaderships leaderships = new FakeOnos.Leaderships();
  private final VirtualExecutor executor = new VirtualExecutor();
  private SddManager manager;

  @BeforeEach
  void activate() {
    manager = FakeOnos.manager(leaderships, configs);
    manager.startOn(executor);
  }

  @AfterEach
  void deactivate() {
    manager.deactivate();
  }

  private static String document(Path keys, int port, String more) {
    return "{\"hosts\":[\"h0\",\"h1\",\"h2\"],\"listen\":\"127.0.0.1:"
        + port
        + "\",\"keys\":\""
        + keys
        + "\""
        + more
        + "}";
  }

  /** The events of ONOS until now are handled. */
  private void settle() {
    executor.pass(0, TimeUnit.SECONDS);
  }

  /** Twice the time after which the component looks for itself. */
  private void passTime() {
    executor.pass(2 * SddManager.RECONCILE_SECONDS, TimeUnit.SECONDS);
  }

  private SddController started() {
    settle();
    return manager.controller().orElseThrow();
  }

  private void assertStopped() {
    settle();
    assertEquals(Optional.empty(), manager.controller());
  }

  private static boolean listens(InetSocketAddress address) {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theConfigurationStartsChangesAndEndsTheController() throws Exception {
    assertFalse(manager.configured());
    assertEquals(Optional.empty(), manager.instance());
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    configs.apply(document(keys, 0, ""));
    SddController first = started();
    assertEquals(Optional.of(HERE), manager.instance());
    try (FakeHost host = new FakeHost(first.address(), keys, "h1", 2)) {
      assertEquals(1, host.number());
      SessionBed.await("host", () -> first.sessions().connected() == 1);
      configs.apply(document(keys, 0, ",\"scheduler\":\"tdma\""));
      settle();
      assertTrue(host.awaitEnd());
    }
    SddController second = started();
    assertNotSame(first, second);
    assertEquals("tdma", second.config().schedulerName());
    // Any port that is free may be that of the first one, once in 14,000 times.
    assertTrue(first.address().equals(second.address()) || !listens(first.address()));
    configs.apply(null);
    assertStopped();
    assertFalse(listens(second.address()));
    assertFalse(manager.configured());
  }

  @Test
  void theControllerGoesWhereTheOperatorHasIt() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    leaderships.elect(THERE);
    configs.apply(document(keys, 0, ",\"instance\":\"here\""));
    SddController running = started();
    configs.apply(document(keys, 0, ",\"instance\":\"there\""));
    assertStopped();
    assertFalse(listens(running.address()));
    assertEquals(Optional.of(THERE), manager.instance());
  }

  @Test
  void theControllerFollowsTheLeader() throws Exception {
    leaderships.elect(THERE);
    configs.apply(document(SessionBed.keys(temporary.resolve("keys")), 0, ""));
    assertStopped();
    assertEquals(Optional.of(THERE), manager.instance());
    leaderships.elect(HERE);
    SddController running = started();
    leaderships.elect(null);
    assertStopped();
    assertFalse(listens(running.address()));
    assertEquals(Optional.empty(), manager.instance());
  }

  @Test
  void aLeaderThatOnosDoesNotTellOfIsFollowed() throws Exception {
    configs.apply(document(SessionBed.keys(temporary.resolve("keys")), 0, ""));
    started();
    leaderships.leader = THERE;
    passTime();
    assertStopped();
    leaderships.fails = true;
    leaderships.leader = HERE;
    passTime();
    assertStopped();
    leaderships.fails = false;
    passTime();
    started();
  }

  @Test
  void missingKeysAreSaidAndWaitedFor() throws Exception {
    Path keys = temporary.resolve("late");
    configs.apply(document(keys, 0, ""));
    String reason = keys.resolve("controller.pem") + " does not exist or cannot be read";
    settle();
    assertEquals(reason, manager.problem());
    assertEquals(Optional.of(HERE), manager.instance());
    passTime();
    assertEquals(reason, manager.problem());
    SessionBed.keys(keys);
    passTime();
    started();
    assertEquals("it has just started; try again", manager.problem());
  }

  @Test
  void anAddressInUseIsSaidAndWaitedFor() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      configs.apply(document(keys, taken.getLocalPort(), ""));
      settle();
      assertTrue(
          manager.problem().matches("127.0.0.1:\\d+ is not available for listening: .*in use.*"),
          manager.problem());
    }
    passTime();
    started();
  }

  @Test
  void keysThatAreNoneAreSaid() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("broken"));
    Files.writeString(keys.resolve("controller.key"), "no key");
    configs.apply(document(keys, 0, ""));
    settle();
    assertTrue(manager.problem().startsWith("the keys in " + keys), manager.problem());
  }

  @Test
  void aStrangersCertificateIsRefused() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    configs.apply(document(keys, 0, ""));
    Path others = SessionBed.keys(temporary.resolve("others"));
    Files.copy(
        keys.resolve("ca.pem"), others.resolve("ca.pem"), StandardCopyOption.REPLACE_EXISTING);
    InetSocketAddress address = started().address();
    // TLS 1.3 tells a client only after its own handshake that its certificate is refused.
    try (FakeClient client = new FakeClient(address, others, "h0", "TLSv1.3")) {
      assertNull(client.receive());
    } catch (SocketException e) {
      // It is told so soon that its greeting finds the connection closed.
      assertTrue(manager.controller().isPresent());
    }
  }
}
