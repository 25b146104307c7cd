package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.VirtualHost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What hosts have mapped, whatever comes and goes, beside what follows from who is there. */
class QueueSetupTest {
  private static final int HOSTS = 3;
  private static final long PERIOD_NS = 1_000_000_000;
  private static final int ADDRESSES = 5;
  private static final int NEWEST = MessageHeaderDecoder.SCHEMA_VERSION;

  /** The last that does not know EndSetup. */
  private static final int OLDER = 7;

  private static final FlowMatch PACKET_FLOW = FlowMatch.all().protocol(1);
  private static final FlowMatch TCP = FlowMatch.all().protocol(6);
  private static final FlowMatch UDP = FlowMatch.all().protocol(17);
  private static final CircuitClass BULK =
      new CircuitClass("bulk", new DemandClass(0, false), List.of(TCP.destinationPort(7077)));
  private static final List<Map<FlowMatch, Integer>> CLASSES =
      List.of(
          Map.of(),
          Map.of(TCP, 8),
          Map.of(FlowMatch.all(), 9),
          Map.of(TCP, 9, UDP, 8),
          Map.of(UDP, 9, TCP.destinationPort(80), 8),
          Map.of(FlowMatch.all(), 8, UDP, 8));

  private final Directory directory = new Directory(List.of("h0", "h1", "h2"), null, 1);
  private final List<VirtualHost> hosts = new ArrayList<>();

  /** Who has an address: who was last to say so. */
  private final Map<Integer, Integer> hostOf = new TreeMap<>();

  private Map<FlowMatch, Integer> classes = Map.of();
  private QueueSetup setup;

  @BeforeEach
  void makeHosts() {
    for (int number = 0; number < HOSTS; number++) {
      hosts.add(new VirtualHost(number, 1, 1));
    }
    setup = setup();
  }

  private QueueSetup setup() {
    return new QueueSetup(directory, PERIOD_NS, 0, List.of(PACKET_FLOW), List.of(BULK), classes);
  }

  private static byte[] address(int last) {
    byte[] address = new byte[16];
    address[15] = (byte) last;
    return address;
  }

  private static byte[][] addresses(Integer... last) {
    return Arrays.stream(last).map(QueueSetupTest::address).toArray(byte[][]::new);
  }

  private void connect(int number, int version, Integer... addresses) {
    hosts.get(number).disconnect();
    HostSession session = hosts.get(number).connect(version, List.of(addresses(addresses)));
    hostOf.values().removeIf(owner -> owner == number);
    List.of(addresses).forEach(address -> hostOf.put(address, number));
    // As the classes' own part does, before.
    new TreeSet<>(classes.values()).forEach(q -> session.createQueue(q, QueueConfig.open()));
    setup.hostUp(session);
  }

  private void replace(Map<FlowMatch, Integer> next) {
    classes = next;
    for (VirtualHost host : hosts) {
      if (host.session() != null) {
        classes.values().forEach(q -> host.session().createQueue(q, QueueConfig.open()));
      }
    }
    setup.replaceClassFlows(classes);
  }

  private Map<String, Integer> wanted(int number) {
    Map<FlowMatch, Integer> flows = new HashMap<>(Map.of(PACKET_FLOW, directory.packetQueue()));
    flows.putAll(classes);
    Map<FlowMatch, Integer> wanted =
        new HashMap<>(Map.of(FlowMatch.all(), directory.packetQueue()));
    wanted.putAll(flows);
    hostOf.forEach(
        (last, owner) -> {
          if (owner != number) {
            byte[] to = address(last);
            wanted.put(FlowMatch.all().toMapped(to), owner);
            BULK.flows()
                .forEach(flow -> wanted.put(flow.toMapped(to), directory.queueTo(owner, 1)));
            flows.forEach((flow, queue) -> wanted.put(flow.toMapped(to), queue));
          }
        });
    Map<String, Integer> texts = new TreeMap<>();
    wanted.forEach((flow, queue) -> texts.put(VirtualHost.text(flow), queue));
    return texts;
  }

  /** Hosts carry out what they are asked; what is mapped before and after is so throughout. */
  private void carryOut() {
    for (int number = 0; number < HOSTS; number++) {
      VirtualHost host = hosts.get(number);
      if (host.session() != null) {
        Set<String> kept = new TreeSet<>(host.mappings.keySet());
        kept.retainAll(wanted(number).keySet());
        while (host.answer()) {
          assertTrue(host.mappings.keySet().containsAll(kept));
        }
        assertEquals(wanted(number), host.mappings);
      }
      assertEquals(0, host.refusals());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {NEWEST, OLDER})
  void hostsHaveMappedWhatCountsWhateverComesAndGoes(int version) {
    for (int number = 0; number < HOSTS; number++) {
      connect(number, version, number);
    }
    carryOut();
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      for (int step = 0; step < 40; step++) {
        int number = random.nextInt(HOSTS);
        if (random.nextInt(4) == 0) {
          hosts.get(number).disconnect();
        } else if (random.nextBoolean()) {
          replace(CLASSES.get(random.nextInt(CLASSES.size())));
        } else {
          Set<Integer> some = new TreeSet<>();
          for (int i = random.nextInt(3); i >= 0; i--) {
            some.add(random.nextInt(ADDRESSES));
          }
          connect(number, version, some.toArray(new Integer[0]));
        }
        carryOut();
      }
    }
  }

  @Test
  void aClassOfEverythingGivesBackWhatItTook() {
    connect(0, NEWEST, 1);
    connect(1, NEWEST, 2);
    replace(Map.of(FlowMatch.all(), 9));
    carryOut();
    assertEquals(9, hosts.get(0).mappings.get(VirtualHost.text(FlowMatch.all())));
    replace(Map.of());
    carryOut();
    String toOther = VirtualHost.text(FlowMatch.all().toMapped(address(2)));
    assertEquals(1, hosts.get(0).mappings.get(toOther));
  }

  /** All hosts are there with a class, and another controller without it takes over. */
  private void changeControllers() {
    classes = Map.of(UDP, 9);
    setup = setup();
    for (int number = 0; number < HOSTS; number++) {
      connect(number, NEWEST, number);
    }
    carryOut();
    classes = Map.of();
    hostOf.clear();
    hosts.forEach(VirtualHost::disconnect);
    setup = setup();
  }

  private int answered(int number) {
    int answered = 0;
    while (hosts.get(number).answer()) {
      answered++;
    }
    return answered;
  }

  @Test
  void anotherControllersMappingsAndQueuesEndOnceAllHostsAreThere() {
    changeControllers();
    String toLast = VirtualHost.text(FlowMatch.all().toMapped(address(2)));
    connect(0, NEWEST, 0);
    connect(1, NEWEST, 1);
    assertTrue(answered(0) > 0);
    // Nobody has told this controller yet where that belongs.
    assertEquals(2, hosts.get(0).mappings.get(toLast));
    assertTrue(hosts.get(0).conditions.containsKey(9));
    connect(2, NEWEST, 3);
    carryOut();
    assertFalse(hosts.get(0).mappings.containsKey(toLast));
    assertFalse(hosts.get(0).conditions.containsKey(9));
  }

  @Test
  void aHostThatStaysAwayIsNotWaitedForForEver() {
    changeControllers();
    connect(0, NEWEST, 0);
    assertTrue(answered(0) > 0);
    for (int period = 0; period < 10; period++) {
      setup.demandReported(hosts.get(0).session());
    }
    assertEquals(0, answered(0));
    setup.demandReported(hosts.get(0).session());
    carryOut();
    setup.demandReported(hosts.get(0).session());
    assertEquals(0, answered(0));
  }

  @Test
  void aHostThatIsNotSetUpInItsSessionIsToldNothingOfOthers() {
    connect(0, NEWEST, 1);
    carryOut();
    hosts.get(0).disconnect();
    hosts.get(0).connect(NEWEST, List.of(addresses(1)));
    connect(1, NEWEST, 2);
    setup.replaceClassFlows(Map.of(UDP, 9));
    assertFalse(hosts.get(0).answer());
  }
}
