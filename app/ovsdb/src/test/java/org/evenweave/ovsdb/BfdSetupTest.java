package org.evenweave.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.evenweave.engine.config.BfdConfig;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BfdSetupTest {
  private static final String FABRIC =
      "{\"switches\":[{\"id\":\"a\",\"stage\":1,\"dpid\":\"0000000000000001\"},"
          + "{\"id\":\"b\",\"stage\":2,\"dpid\":\"0000000000000002\"}],"
          + "\"links\":[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":1000}]}";

  private static final Map<String, String> AT_100 =
      Map.of("enable", "true", "min_tx", "100", "min_rx", "100");

  /** A hang guard: the server is in this process, which may wait for a processor. */
  private static final OvsdbTls PATIENT = OvsdbTls.NONE.within(300_000);

  private final List<List<String>> reports = new ArrayList<>();
  private EngineConfig config = ConfigReader.parse(FABRIC);
  private boolean mayChange = true;
  private final Set<String> used = new HashSet<>();
  private final BfdSetup setup = setup();
  private FakeOvsdb ovsdb;

  @BeforeEach
  void listen() throws IOException {
    ovsdb = new FakeOvsdb().with(1, 1, 2).with(2, 1, 2);
  }

  @AfterEach
  void close() throws IOException {
    ovsdb.close();
  }

  private BfdSetup setup() {
    return new BfdSetup(() -> config, (a, b) -> true, reports::add, () -> mayChange, used, PATIENT);
  }

  private void configure(boolean enabled, int intervalMs, String... servers) {
    config = config.withBfd(new BfdConfig(enabled, intervalMs, List.of(servers)));
  }

  @Test
  void bothEndsOfALinkRunBfdAndNoOtherPortDoes() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    assertEquals(AT_100, ovsdb.bfd.get("1/1"));
    assertEquals(AT_100, ovsdb.bfd.get("2/1"));
    assertEquals(Map.of(), ovsdb.bfd.get("1/2"));
    assertEquals(Map.of(), ovsdb.bfd.get("2/2"));
    assertEquals(List.of(), reports);
  }

  @Test
  void aSwitchThatWouldForwardByItselfWithoutAControllerIsNamed() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    ovsdb.failMode = new ObjectMapper().createArrayNode().add("set").add("");
    setup.pass();
    String why = "fail_mode is not secure: without a controller it forwards as a bridge, in loops";
    assertEquals(List.of(List.of("a: " + why, "b: " + why)), reports);
    ovsdb.failMode = new ObjectMapper().getNodeFactory().textNode("secure");
    setup.pass();
    assertEquals(List.of(), reports.get(1));
  }

  @Test
  void whatIsAsConfiguredIsNotChangedAgain() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    int changes = ovsdb.changes;
    setup.pass();
    assertEquals(changes, ovsdb.changes);
  }

  @Test
  void aPassThatFailsIsAReasonUntilTheNextOneSucceeds() throws InterruptedException {
    EngineConfig whole = config;
    config = null;
    setup.passOrTell();
    assertTrue(reports.get(0).get(0).startsWith("BFD cannot be compared with the configuration: "));
    config = whole;
    setup.passOrTell();
    assertEquals(List.of(), reports.get(1));
  }

  @Test
  void anotherIntervalReplacesTheOneBefore() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    configure(true, 50, ovsdb.address());
    setup.pass();
    assertEquals(Map.of("enable", "true", "min_tx", "50", "min_rx", "50"), ovsdb.bfd.get("1/1"));
  }

  @Test
  void takenOutOfTheConfigurationItLeavesNoTrace() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    config = ConfigReader.parse(FABRIC);
    setup.pass();
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
    assertEquals(Map.of(), ovsdb.externalIds.get("1/1"));
    assertEquals(Map.of(), ovsdb.bfd.get("2/1"));
  }

  @Test
  void whatAControllerBeforeHasSetUpIsRemovedWhereItIsDisabled() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    configure(false, 100, ovsdb.address());
    used.clear();
    setup().pass();
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
  }

  @Test
  void whatSomebodyElseHasSetUpIsLeftAlone() throws InterruptedException {
    ovsdb.bfd.get("1/1").putAll(Map.of("enable", "true", "min_tx", "300"));
    ovsdb.bfd.get("1/2").put("enable", "true");
    configure(true, 100, ovsdb.address());
    setup.pass();
    configure(false, 100, ovsdb.address());
    setup.pass();
    assertEquals(Map.of("enable", "true", "min_tx", "300"), ovsdb.bfd.get("1/1"));
    assertEquals(Map.of("enable", "true"), ovsdb.bfd.get("1/2"));
    assertEquals(Map.of(), ovsdb.bfd.get("2/1"));
  }

  @Test
  void aServerThatDoesNotAnswerIsNamedUntilItDoes() throws IOException, InterruptedException {
    String address = ovsdb.address();
    ovsdb.close();
    configure(true, 100, address);
    setup.pass();
    setup.pass();
    assertEquals(1, reports.size());
    assertTrue(reports.get(0).get(0).startsWith("BFD cannot be set up in " + address + ": "));
    config = ConfigReader.parse(FABRIC);
    setup.pass();
    assertEquals(List.of(), reports.get(1));
  }

  @Test
  void aRefusalIsNamedWithItsReason() throws InterruptedException {
    ovsdb.refusing = true;
    configure(true, 100, ovsdb.address());
    setup.pass();
    assertEquals(1, reports.get(0).size());
    assertTrue(reports.get(0).get(0).contains("not allowed"), reports.get(0).get(0));
  }

  @Test
  void aPortThatNoServerHasIsNamed() throws InterruptedException {
    ovsdb.bfd.remove("2/1");
    configure(true, 100, ovsdb.address());
    setup.pass();
    assertEquals(List.of(List.of("b/1: no BFD, no server of bfd.ovsdb has this port")), reports);
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
  }

  @Test
  void anotherControllerThatTakesOverChangesNothing() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    int changes = ovsdb.changes;
    used.clear();
    setup().pass();
    assertEquals(changes, ovsdb.changes);
  }

  @Test
  void aControllerThatIsOvertakenChangesNothing() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    mayChange = false;
    setup.pass();
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
    mayChange = true;
    setup.pass();
    mayChange = false;
    configure(false, 100, ovsdb.address());
    setup.pass();
    assertEquals(AT_100, ovsdb.bfd.get("1/1"));
  }

  @Test
  void theNextSetupRemovesItFromServersThatAreConfiguredNoMore() throws InterruptedException {
    configure(true, 100, ovsdb.address());
    setup.pass();
    config = ConfigReader.parse(FABRIC);
    BfdSetup next = setup();
    next.pass();
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
    next.pass();
    assertEquals(Set.of(), used);
  }

  @Test
  void aRemovalLeavesWhatSomebodyElseHasSetUpAndNamesServersThatDoNotAnswer()
      throws IOException, InterruptedException {
    ovsdb.bfd.get("1/2").put("enable", "true");
    configure(true, 100, ovsdb.address());
    setup.pass();
    String away;
    try (FakeOvsdb closed = new FakeOvsdb()) {
      away = closed.address();
    }
    assertEquals(Set.of(away), BfdSetup.remove(List.of(away, ovsdb.address()), PATIENT).keySet());
    assertEquals(Map.of(), ovsdb.bfd.get("1/1"));
    assertEquals(Map.of(), ovsdb.externalIds.get("2/1"));
    assertEquals(Map.of("enable", "true"), ovsdb.bfd.get("1/2"));
  }

  @Test
  void nothingIsChangedAfterItIsClosed() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    configure(true, 100, ovsdb.address());
    BfdSetup closed =
        new BfdSetup(
            () -> config,
            (a, b) -> true,
            reports::add,
            () -> {
              asked.countDown();
              while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
              }
              return true;
            },
            used,
            PATIENT);
    closed.start();
    asked.await();
    closed.close();
    assertEquals(0, ovsdb.changes);
  }
}
