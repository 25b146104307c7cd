package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.SourceGuard;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.PlainSwitch;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;

/** Packets from hosts' ports pass if their source is allowed there, and from links always. */
class EngineSourceGuardTest extends EngineFixture {
  private static final int FIRST_PORT = FakeNetwork.HOST_PORT;
  private static final int PORTS = 3;
  private static final int STEPS = 12;
  private static final int FAR = address("10.0.9.9");
  private static final List<String> PREFIXES =
      List.of("10.0.1.0/24", "10.0.2.0/25", "10.0.4.0/22", "10.0.9.0/24");

  private static final Fabric FABRIC = fabric();

  /** Two leaves with three prefixes and one, and a spine. */
  private static Fabric fabric() {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("s1-0", 1, Fabric.UNLIMITED);
    builder.addSwitch("s1-1", 1, Fabric.UNLIMITED);
    builder.addSwitch("s2-0", 2, Fabric.UNLIMITED);
    builder.addLink("s1-0/1", "s2-0/1", 10);
    builder.addLink("s1-1/1", "s2-0/2", 10);
    for (int i = 0; i < PREFIXES.size(); i++) {
      builder.addSubnet(i < 3 ? "s1-0" : "s1-1", Ipv4Prefix.parse(PREFIXES.get(i)));
    }
    return builder.build();
  }

  private static int address(String text) {
    return Ipv4Prefix.parseAddress(text);
  }

  private void begin(long seed) {
    start(FABRIC, seed);
    for (String id : FABRIC.switchIds()) {
      for (int port = FIRST_PORT + 1; port < FIRST_PORT + PORTS; port++) {
        network.portUp(id, port);
      }
    }
    loop.runFor(SECOND_NANOS);
  }

  private void announce(String leaf, int port, int address) {
    ARP arp = new ARP();
    arp.setHardwareType(ARP.HW_TYPE_ETHERNET)
        .setProtocolType(ARP.PROTO_TYPE_IP)
        .setHardwareAddressLength((byte) Ethernet.DATALAYER_ADDRESS_LENGTH)
        .setProtocolAddressLength((byte) 4)
        .setOpCode(ARP.OP_REQUEST)
        .setSenderHardwareAddress(MacAddress.valueOf(0x020000000000L | port).toBytes())
        .setSenderProtocolAddress(address)
        .setTargetHardwareAddress(new byte[6])
        .setTargetProtocolAddress(address);
    Ethernet frame = new Ethernet();
    frame
        .setDestinationMACAddress(MacAddress.BROADCAST)
        .setSourceMACAddress(MacAddress.valueOf(0x020000000000L | port))
        .setEtherType(Ethernet.TYPE_ARP)
        .setPayload(arp);
    network.packetIn(leaf, port, frame.serialize());
  }

  private void use(Map<Ipv4Prefix, SourceGuard> guards) {
    engine.reconfigure(engine.configuration().withSourceGuards(guards));
    loop.runFor(2 * SECOND_NANOS);
  }

  private boolean passes(String switchId, int port, int source) {
    SwitchTables tables = network.tables(switchId);
    FlowRule met =
        PlainSwitch.meets(
            tables, port, source, switchId.equals("s1-1") ? address("10.0.1.9") : FAR);
    assertNotNull(met, switchId);
    return met.action() != FlowRule.Action.DROP;
  }

  /** What the configuration says, without rules. */
  private boolean mayPass(String switchId, int port, int source) {
    EngineConfig config = engine.configuration();
    boolean isOn = false;
    boolean anyOff = false;
    boolean hasPrefix = false;
    Ipv4Prefix own = null;
    for (int i = 0; i < FABRIC.subnetCount(); i++) {
      Ipv4Prefix prefix = FABRIC.subnetPrefix(i);
      boolean isOff = config.sourceGuardOf(prefix) == SourceGuard.OFF;
      isOn |= !isOff;
      if (FABRIC.switchId(FABRIC.subnetSwitch(i)).equals(switchId)) {
        hasPrefix = true;
        anyOff |= isOff;
        own = prefix.contains(source) ? prefix : own;
      }
    }
    List<Host> hosts = engine.view().snapshot().hostsAt(switchId);
    boolean isGuarded =
        port >= FIRST_PORT
            && isOn
            && (!config.linksDiscovered() || hosts.stream().anyMatch(h -> h.port() == port));
    if (!isGuarded) {
      return true;
    }
    if (own == null) {
      return hasPrefix && anyOff;
    }
    return config.sourceGuardOf(own) != SourceGuard.HOST
        || hosts.stream().anyMatch(h -> h.port() == port && h.address() == source);
  }

  private void check(SplittableRandom random) {
    // A host that answers nothing may be forgotten at any moment.
    for (int i = 0; i < 20 && !engine.view().status().confirmed(); i++) {
      loop.runFor(SECOND_NANOS / 10);
    }
    assertConfirmed();
    for (String id : FABRIC.switchIds()) {
      for (int port : new int[] {1, FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2}) {
        for (int i = 0; i < 20; i++) {
          int source = source(random);
          assertEquals(
              mayPass(id, port, source),
              passes(id, port, source),
              () -> id + "/" + port + " from " + Ipv4Prefix.format(source));
        }
      }
    }
  }

  /** Any that switches do not drop whatever the port; near the prefixes most of the time. */
  private static int source(SplittableRandom random) {
    int near = address("10.0.0.0") | random.nextInt(12) << 8 | random.nextInt(4) << 6;
    int any = address("11.0.0.0") + random.nextInt(address("90.0.0.0"));
    return random.nextInt(4) == 0 ? any : near | random.nextInt(16);
  }

  @Property(tries = 60)
  void sourcesPassAsThePlainModelHasIt(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    begin(seed);
    check(random);
    for (int step = 0; step < STEPS; step++) {
      int kind = random.nextInt(4);
      if (kind == 0) {
        Map<Ipv4Prefix, SourceGuard> guards = new HashMap<>();
        for (String prefix : PREFIXES) {
          SourceGuard[] modes = SourceGuard.values();
          guards.put(Ipv4Prefix.parse(prefix), modes[random.nextInt(modes.length)]);
        }
        use(guards);
      } else if (kind == 1 && random.nextInt(4) == 0) {
        engine.reconfigure(engine.configuration().withLinksDiscovered());
      } else {
        announce("s1-0", FIRST_PORT + random.nextInt(PORTS), source(random));
        announce("s1-1", FIRST_PORT + random.nextInt(PORTS), FAR);
      }
      loop.runFor(2 * SECOND_NANOS);
      check(random);
    }
  }

  @Test
  void othersAddressesDoNotPassAndTheOwnPrefixDoes() {
    begin(1);
    assertTrue(passes("s1-0", FIRST_PORT, address("10.0.1.2")));
    assertTrue(passes("s1-0", FIRST_PORT, address("10.0.7.2")));
    assertEquals(false, passes("s1-0", FIRST_PORT, address("10.0.9.2")));
    assertEquals(false, passes("s1-0", FIRST_PORT, address("8.8.8.8")));
    assertTrue(passes("s1-0", 1, address("8.8.8.8")));
    assertEquals(false, passes("s2-0", FIRST_PORT, address("10.0.1.2")));
  }

  @Test
  void aHostsAddressPassesAtItsPortOnly() {
    begin(2);
    use(Map.of(Ipv4Prefix.parse("10.0.1.0/24"), SourceGuard.HOST));
    int host = address("10.0.1.7");
    assertEquals(false, passes("s1-0", FIRST_PORT, host));
    announce("s1-0", FIRST_PORT, host);
    loop.runFor(SECOND_NANOS);
    assertTrue(passes("s1-0", FIRST_PORT, host));
    assertEquals(false, passes("s1-0", FIRST_PORT + 1, host));
    network.portDown("s1-0", FIRST_PORT);
    announce("s1-0", FIRST_PORT + 1, host);
    loop.runFor(SECOND_NANOS);
    assertEquals(false, passes("s1-0", FIRST_PORT, host));
    assertTrue(passes("s1-0", FIRST_PORT + 1, host));
  }

  /** One rule a port, and one a prefix; nothing for links. */
  @Test
  void aRestartMovesNoRuleAndEachPortCostsOne() {
    begin(3);
    long guards =
        network.tables("s1-0").flows().values().stream().filter(FlowRule::isSourceGuard).count();
    assertEquals(PORTS + 3, guards);
    SwitchTables before = network.tables("s1-0");
    engine.close();
    loop.runFor(SECOND_NANOS);
    int operations = network.operations();
    startEngine(FABRIC);
    for (String id : FABRIC.switchIds()) {
      network.connect(id);
      for (int port = FIRST_PORT + 1; port < FIRST_PORT + PORTS; port++) {
        network.portUp(id, port);
      }
    }
    loop.runFor(10 * SECOND_NANOS);
    assertConverged();
    assertEquals(operations, network.operations());
    assertEquals(before, network.tables("s1-0"));
    assertNotEquals(0, operations);
  }
}
