package org.evenweave.engine.shares;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.evenweave.engine.config.TracerouteConfig;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

/** The shares of next hops, by the addresses that traceroute shows. */
class HopSharesTest extends ConvergedEngine {

  /** The group's share of a port, looked up the other way around. */
  private double shareOfHop(String switchId, String destination, int address) {
    GroupState group =
        engine.view().groups().stream()
            .filter(g -> g.switchId().equals(switchId) && g.destinations().contains(destination))
            .findFirst()
            .orElseThrow();
    return IntStream.range(0, group.memberCount())
        .filter(i -> addressBehind(switchId, group.port(i)) == address)
        .mapToDouble(group::realisedShare)
        .findFirst()
        .orElseThrow();
  }

  private int addressBehind(String switchId, int port) {
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.end(arc).switchId().equals(switchId) && fabric.end(arc).number() == port) {
        return TracerouteConfig.DEFAULT
            .address(fabric.indexOf(fabric.end(arc ^ 1).switchId()), fabric.end(arc ^ 1).number())
            .getAsInt();
      }
    }
    throw new AssertionError(switchId + "/" + port);
  }

  @Test
  void aNextHopHasTheShareOfTheGroupThatLeadsToIt() {
    SortedMap<String, Map<Integer, Integer>> shares = HopShares.of(engine.view());
    assertFalse(shares.isEmpty());
    int checked = 0;
    for (GroupState group : engine.view().groups()) {
      for (String destination : group.destinations()) {
        String prefix = fabric.subnetPrefix(subnetOf(destination)).toString();
        for (int i = 0; i < group.memberCount(); i++) {
          int address = addressBehind(group.switchId(), group.port(i));
          assertEquals(
              shareOfHop(group.switchId(), destination, address),
              shares.get(prefix).get(address) / 1e6,
              1e-6);
          checked++;
        }
      }
    }
    assertTrue(checked > 6, "groups checked");
  }

  private int subnetOf(String switchId) {
    return IntStream.range(0, fabric.subnetCount())
        .filter(s -> fabric.switchId(fabric.subnetSwitch(s)).equals(switchId))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutAddressesThereIsNothingToSay() {
    engine.change(
        config ->
            config.withTraceroute(
                new TracerouteConfig(false, Ipv4Prefix.parse("10.9.0.0/16"), 4, 2)));
    loop.runFor(SECOND_NANOS);
    assertTrue(HopShares.of(engine.view()).isEmpty());
  }
}
