package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.openflow.Any;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFPortReason;

/**
 * The whole runtime below the engine, with switches on loopback sockets. What takes time is in
 * {@link BadSwitchTest} and {@link SwitchHandlerTest}, where time is virtual.
 */
class OpenFlowNetworkTest {
  private static final byte[] ARP = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 8, 6, 0};

  /** From the second in which a thread is asked whether it runs. */
  private static final int STALL_SECONDS = 3;

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final List<LoopbackSwitch> switches = new ArrayList<>();
  private OpenFlowNetwork network;

  @BeforeEach
  void listen() throws IOException {
    network = network(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    for (LoopbackSwitch each : switches) {
      each.close();
    }
    network.close();
  }

  private static OpenFlowNetwork network(InetSocketAddress address) throws IOException {
    return network(address, id -> "s" + id);
  }

  private static OpenFlowNetwork network(InetSocketAddress address, LongFunction<String> switchIdOf)
      throws IOException {
    return new OpenFlowNetwork(
        address, switchIdOf, Duration.ofMinutes(10), Duration.ofSeconds(1), MasterRule.CLAIM, null);
  }

  /** Writes each call as one line. */
  private static class RecordingListener implements TopologyListener {
    private final BlockingQueue<String> lines;

    RecordingListener(BlockingQueue<String> lines) {
      this.lines = lines;
    }

    @Override
    public void switchUp(String switchId, long atNanos) {
      lines.add("up " + switchId);
    }

    @Override
    public void switchDown(String switchId, long atNanos) {
      lines.add("down " + switchId);
    }

    @Override
    public void portChanged(String switchId, int port, boolean up, long bps, long atNanos) {
      lines.add((up ? "port up " : "port down ") + switchId + "/" + port);
    }

    @Override
    public void linkSeen(String from, int fromPort, String to, int toPort, long atNanos) {
      lines.add("link " + from + "/" + fromPort + ">" + to + "/" + toPort);
    }

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {
      lines.add("lost " + from + "/" + fromPort + ">" + to + "/" + toPort);
    }

    @Override
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
      lines.add("packet " + switchId + "/" + inPort);
    }
  }

  private LoopbackSwitch connect(FakeOpenFlowSwitch fake) throws IOException {
    LoopbackSwitch connected = new LoopbackSwitch(fake, network.address());
    switches.add(connected);
    return connected;
  }

  private void expect(String... lines) throws InterruptedException {
    for (String line : lines) {
      assertEquals(line, calls.take());
    }
  }

  @Test
  void aSwitchIsAnnouncedProgrammedAndReadBack() throws Exception {
    network.setListener(new RecordingListener(calls));
    connect(new FakeOpenFlowSwitch(1, 1, 2));
    expect("up s1", "port up s1/1", "port up s1/2");
    List<SwitchOperation> operations =
        List.of(
            SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 2, 3)),
            SwitchOperation.putFlow(
                FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), OwnGroups.id(1))),
            SwitchOperation.putFlow(FlowRule.arpToController()));
    network.apply("s1", operations).join();
    SwitchTables fromHandshake =
        SwitchTables.EMPTY.after(List.of(SwitchOperation.putFlow(FlowRule.lldpToController())));
    assertEquals(fromHandshake.after(operations), network.read("s1").join());
  }

  @Test
  void aListenerThatIsSetLateIsToldWhatIsSo() throws Exception {
    network.setListener(new RecordingListener(calls));
    LoopbackSwitch a = connect(new FakeOpenFlowSwitch(1, 1));
    expect("up s1", "port up s1/1");
    LoopbackSwitch b = connect(new FakeOpenFlowSwitch(2, 1));
    expect("up s2", "port up s2/1");
    a.fromSwitch(a.fake.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 0)));
    expect("port down s1/1");
    b.close();
    expect("down s2");
    BlockingQueue<String> late = new LinkedBlockingQueue<>();
    network.setListener(new RecordingListener(late));
    assertEquals("up s1", late.take());
    assertEquals("port down s1/1", late.take());
    assertTrue(late.isEmpty());
  }

  @Test
  void aLinkBetweenTwoSwitchesIsFoundInBothDirections() throws Exception {
    network.setListener(new RecordingListener(calls));
    FakeOpenFlowSwitch a = new FakeOpenFlowSwitch(1, 1);
    FakeOpenFlowSwitch b = new FakeOpenFlowSwitch(2, 7);
    LoopbackSwitch atA = connect(a);
    expect("up s1", "port up s1/1");
    a.onPacketOut = packet -> arrive(switches.size() > 1 ? switches.get(1) : null, 7, packet);
    b.onPacketOut = packet -> arrive(atA, 1, packet);
    connect(b);
    expect("up s2", "port up s2/7");
    // In either order: the round of probes that is due may come before the new port's first one.
    List<String> links = List.of(calls.take(), calls.take());
    assertEquals(Set.of("link s2/7>s1/1", "link s1/1>s2/7"), Set.copyOf(links));
    atA.fromSwitch(FakeOpenFlowSwitch.packetIn(1, ARP));
    expect("packet s1/1");
  }

  private static void arrive(LoopbackSwitch at, int port, Map.Entry<Integer, byte[]> packet) {
    try {
      if (at != null) {
        at.fromSwitch(FakeOpenFlowSwitch.packetIn(port, packet.getValue()));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSwitchWithTheDatapathIdOfOneThatAnswersIsRefused() throws Exception {
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void duplicateSwitch(String id, String used, String refused, long atNanos) {
            calls.add("duplicate " + id + " used " + used + " refused " + refused);
          }
        });
    LoopbackSwitch first = connect(new FakeOpenFlowSwitch(1, 1));
    expect("up s1", "port up s1/1");
    LoopbackSwitch second = connect(new FakeOpenFlowSwitch(1, 1, 2));
    second.awaitEnd();
    expect("duplicate s1 used " + first.address() + " refused " + second.address());
    network.apply("s1", List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1)))).join();
    assertEquals(1, first.fake.groups.size());
    first.close();
    expect("down s1");
    connect(new FakeOpenFlowSwitch(1, 1, 2));
    expect("up s1", "port up s1/1", "port up s1/2");
    assertTrue(calls.isEmpty(), calls.toString());
  }

  @Test
  void oneSwitchsNonsenseDoesNotTouchAnother() throws Exception {
    network.setListener(new RecordingListener(calls));
    LoopbackSwitch good = connect(new FakeOpenFlowSwitch(1, 1));
    expect("up s1", "port up s1/1");
    LoopbackSwitch bad = connect(new FakeOpenFlowSwitch(2, 1));
    expect("up s2", "port up s2/1");
    bad.fromSwitch(new byte[] {4, 99, 0, 7, 0, 0, 0, 0});
    expect("down s2");
    good.fromSwitch(FakeOpenFlowSwitch.packetIn(1, ARP));
    expect("packet s1/1");
    network.read("s1").join();
  }

  @Test
  void aSwitchThatIsNotThereCannotBeProgrammed() {
    for (CompletableFuture<?> future :
        List.of(network.apply("s9", List.of()), network.read("s9"))) {
      CompletionException e = assertThrows(CompletionException.class, future::join);
      assertEquals("s9: not connected", e.getCause().getMessage());
    }
    network.sendPacket("s9", 1, ARP);
  }

  @Test
  void aListenerThatThrowsMissesThatCallOnly() throws Exception {
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void switchUp(String switchId, long atNanos) {
            throw new IllegalStateException("thrown on purpose");
          }
        });
    LoopbackSwitch a = connect(new FakeOpenFlowSwitch(1, 1));
    expect("port up s1/1");
    a.fromSwitch(FakeOpenFlowSwitch.packetIn(1, ARP));
    expect("packet s1/1");
  }

  @Test
  void aListenerThatBlocksKeepsNoSwitchFromBeingProgrammed() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void switchUp(String switchId, long atNanos) {
            blocked.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    connect(new FakeOpenFlowSwitch(1, 1));
    blocked.await();
    network.apply("s1", List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1)))).join();
    network.read("s1").thenCompose(tables -> network.read("s1")).join();
    released.countDown();
  }

  /**
   * The thread that puts events in order is held up until packets of hosts and of discovery, and
   * after them a port that goes down, wait for it.
   */
  @Test
  void aPortThatGoesDownIsToldBeforeThePacketsThatCameFirst() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch allCame = new CountDownLatch(1);
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
            super.packetIn(switchId, inPort, frame, atNanos);
            blocked.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    int[] ports = IntStream.rangeClosed(1, 100).toArray();
    LoopbackSwitch a = connect(new FakeOpenFlowSwitch(1, ports));
    a.fake.onEchoReply = allCame::countDown;
    expect("up s1");
    for (int port : ports) {
      expect("port up s1/" + port);
    }
    byte[] lldp = ARP.clone();
    lldp[12] = (byte) 0x88;
    lldp[13] = (byte) 0xcc;
    for (int packet = 0; packet < 3000; packet++) {
      a.fromSwitch(FakeOpenFlowSwitch.packetIn(1 + packet % 100, ARP));
      a.fromSwitch(FakeOpenFlowSwitch.packetIn(1 + packet % 100, lldp));
    }
    a.fromSwitch(a.fake.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 0)));
    a.fromSwitch(OpenFlow13.FACTORY.buildEchoRequest().build());
    blocked.await();
    allCame.await();
    released.countDown();
    List<String> first = new ArrayList<>();
    do {
      first.add(calls.take());
    } while (!first.contains("port down s1/1"));
    assertTrue(first.size() <= 3, first.size() + " packets came first");
    expect("packet s1/2");
  }

  @Test
  void aPortThatFloodsLosesItsOwnPacketsOnly() throws Exception {
    AtomicInteger dropped = new AtomicInteger();
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void packetsDropped(String switchId, int inPort, long count) {
            dropped.incrementAndGet();
          }
        });
    LoopbackSwitch a = connect(new FakeOpenFlowSwitch(1, 1, 2));
    expect("up s1", "port up s1/1", "port up s1/2");
    for (int packet = 0; packet < 20_000; packet++) {
      a.fromSwitch(FakeOpenFlowSwitch.packetIn(1, ARP));
    }
    a.fromSwitch(FakeOpenFlowSwitch.packetIn(2, ARP));
    int fromFlood = 0;
    while (calls.take().equals("packet s1/1")) {
      fromFlood++;
    }
    assertEquals(20_000, fromFlood + dropped.get());
    assertTrue(dropped.get() > 0, "none dropped");
  }

  /** What {@code /status} says while a thread of the network is blocked, and afterwards. */
  private void requireStallOf(String thread, CountDownLatch blocked, CountDownLatch released)
      throws Exception {
    try (ThreadLoop loop = new ThreadLoop()) {
      Engine engine = new Engine(EngineConfig.empty(), network, network, loop);
      network.watch(engine.watch());
      blocked.await();
      for (int second = 0; second <= STALL_SECONDS; second++) {
        engine.watch().check();
      }
      // The other threads may still have to answer.
      while (engine.watch().stalled().size() > 1) {
        Thread.onSpinWait();
      }
      String reason = engine.view().status().reasons().get(0);
      assertTrue(reason.startsWith("the controller's " + thread), reason);
      assertTrue(
          reason.endsWith(" has not run for 3 s; the reported state is older than that"), reason);
      released.countDown();
      while (!engine.watch().stalled().isEmpty()) {
        Thread.onSpinWait();
      }
      reason = engine.view().status().reasons().get(0);
      assertFalse(reason.contains(thread), reason);
    } finally {
      released.countDown();
    }
  }

  @Test
  void aTopologyThreadThatStandsStillShowsInTheStatus() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    network.setListener(
        new RecordingListener(calls) {
          @Override
          public void switchUp(String switchId, long atNanos) {
            blocked.countDown();
            awaitQuietly(released);
          }
        });
    connect(new FakeOpenFlowSwitch(1, 1));
    requireStallOf("topology thread", blocked, released);
  }

  @Test
  void anOpenFlowThreadThatStandsStillShowsInTheStatus() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    network.close();
    network =
        network(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            id -> {
              blocked.countDown();
              awaitQuietly(released);
              return "s" + id;
            });
    connect(new FakeOpenFlowSwitch(1, 1));
    requireStallOf("OpenFlow thread ", blocked, released);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aPortInUseIsAnErrorAndLeavesNothingBehind() {
    IOException e = assertThrows(IOException.class, () -> network(network.address()));
    assertTrue(e.getMessage().contains("in use"), e.getMessage());
  }

  @Test
  void closingTakesEverySwitchDown() throws Exception {
    network.setListener(new RecordingListener(calls));
    LoopbackSwitch a = connect(new FakeOpenFlowSwitch(1, 1));
    expect("up s1", "port up s1/1");
    network.close();
    expect("down s1");
    a.awaitEnd();
    assertThrows(CompletionException.class, () -> network.read("s1").join());
  }
}
