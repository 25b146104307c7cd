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
import java.util.stream.Collectors;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.IpPrefix;
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

  /** Who has an address. */
  private final Map<Integer, Integer> hostOf = new TreeMap<>();

  /** What each host that is connected says it has. */
  private final Map<Integer, List<Integer>> said = new TreeMap<>();

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

  private static IpPrefix address(int last) {
    return IpPrefix.of("10.0.0." + last + "/32");
  }

  private static List<IpPrefix> addresses(Integer... last) {
    return Arrays.stream(last).map(QueueSetupTest::address).collect(Collectors.toList());
  }

  private void disconnect(int number) {
    HostSession session = hosts.get(number).session();
    hosts.get(number).disconnect();
    said.remove(number);
    if (session != null) {
      setup.hostDown(session);
    }
    settle();
  }

  /** Who is connected and has an address keeps it; else it is the first's that says it. */
  private void settle() {
    for (int last = 0; last < ADDRESSES; last++) {
      Integer owner = hostOf.get(last);
      List<Integer> sayers = new ArrayList<>();
      for (int number = 0; number < HOSTS; number++) {
        if (said.getOrDefault(number, List.of()).contains(last)) {
          sayers.add(number);
        }
      }
      if (!sayers.isEmpty() && !sayers.contains(owner)) {
        hostOf.put(last, sayers.get(0));
      } else if (sayers.isEmpty() && owner != null && said.containsKey(owner)) {
        hostOf.remove(last);
      }
    }
  }

  private void connect(int number, int version, Integer... addresses) {
    HostSession before = hosts.get(number).session();
    hosts.get(number).disconnect();
    HostSession session = hosts.get(number).connect(version, addresses(addresses));
    said.put(number, List.of(addresses));
    settle();
    // As the classes' own part does, before.
    new TreeSet<>(classes.values()).forEach(q -> session.createQueue(q, QueueConfig.open()));
    setup.hostUp(session);
    if (before != null) {
      setup.hostDown(before); // The session before ends later.
    }
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
            IpPrefix to = address(last);
            wanted.put(FlowMatch.all().to(to), owner);
            BULK.flows().forEach(flow -> wanted.put(flow.to(to), directory.queueTo(owner, 1)));
            flows.forEach((flow, queue) -> wanted.put(flow.to(to), queue));
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
          disconnect(number);
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
    String toOther = VirtualHost.text(FlowMatch.all().to(address(2)));
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
    said.clear();
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
    String toLast = VirtualHost.text(FlowMatch.all().to(address(2)));
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

  /** A host that says it has another's address gets nothing that is for the other. */
  @Test
  void anAddressStaysWithWhoIsConnectedWithItAndIsGivenBack() {
    connect(0, NEWEST, 0);
    connect(2, NEWEST, 2);
    connect(1, NEWEST, 1, 2);
    carryOut();
    String toLast = VirtualHost.text(FlowMatch.all().to(address(2)));
    assertEquals(2, hosts.get(0).mappings.get(toLast));
    assertEquals(Map.of(address(2), "h2 has it"), setup.refused(1));
    disconnect(2);
    carryOut();
    assertEquals(1, hosts.get(0).mappings.get(toLast));
    connect(1, NEWEST, 1);
    carryOut();
    connect(2, NEWEST, 2);
    carryOut();
    assertEquals(2, hosts.get(0).mappings.get(toLast));
    assertEquals(Map.of(), setup.refused(1));
  }

  @Test
  void prefixesAndOthersAddressesNeedTheConfiguration() {
    AddressOwners owners = new AddressOwners(directory);
    IpPrefix all = IpPrefix.of("10.0.0.0/8");
    owners.connected(0, List.of(all));
    assertEquals(List.of(), owners.of(0));
    Directory given =
        new Directory(
            List.of("h0", "h1", "h2"), null, 0, Map.of("h2", List.of(IpPrefix.of("10.0.2.0/24"))));
    owners = new AddressOwners(given);
    IpPrefix part = IpPrefix.of("10.0.2.128/25");
    IpPrefix one = IpPrefix.of("10.0.2.9/32");
    owners.connected(1, List.of(one, address(1)));
    owners.connected(2, List.of(part, one, all));
    assertEquals(List.of(address(1)), owners.of(1));
    assertEquals(List.of(part, one), owners.of(2));
  }

  @Test
  void aHostThatIsNotSetUpInItsSessionIsToldNothingOfOthers() {
    connect(0, NEWEST, 1);
    carryOut();
    hosts.get(0).disconnect();
    hosts.get(0).connect(NEWEST, addresses(1));
    connect(1, NEWEST, 2);
    setup.replaceClassFlows(Map.of(UDP, 9));
    assertFalse(hosts.get(0).answer());
  }
}
