package org.evenweave.openflow;

import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** Any rule, any group that can be said in OpenFlow 1.3. */
public final class Any {
  private static final long MAX_MAC = 0xffff_ffff_ffffL;

  private Any() {}

  private static Arbitrary<Ipv4Prefix> prefixes() {
    return Combinators.combine(Arbitraries.integers(), Arbitraries.integers().between(0, 32))
        .as(
            (address, length) ->
                Ipv4Prefix.of(length == 0 ? 0 : address & -1 << (32 - length), length));
  }

  /** Two prefixes that do not overlap are both of one bit or more. */
  private static Arbitrary<Ipv4Prefix> sources() {
    return prefixes().filter(prefix -> prefix.length() > 0);
  }

  private static Arbitrary<Integer> ports() {
    return Arbitraries.integers().between(1, Integer.MAX_VALUE);
  }

  /**
   * Rules of all kinds.
   *
   * @param firstGroup the least id of a group that they route to
   * @param lastGroup the greatest
   */
  public static Arbitrary<FlowRule> rules(int firstGroup, int lastGroup) {
    Arbitrary<Integer> groupIds = Arbitraries.integers().between(firstGroup, lastGroup);
    Arbitrary<Long> macs = Arbitraries.longs().between(0, MAX_MAC);
    return Arbitraries.oneOf(
        Arbitraries.of(FlowRule.arpToController(), FlowRule.lldpToController()),
        Arbitraries.of(FlowRule.rarpToController(), GuardRules.dropTagged()),
        Arbitraries.of(GuardRules.ofSwitch()),
        Arbitraries.integers().map(GuardRules::dropToItself),
        prefixes().map(GuardRules::admitSource),
        Combinators.combine(ports(), prefixes()).as(GuardRules::admitSource),
        Combinators.combine(ports(), prefixes()).as(GuardRules::refuseSource),
        prefixes().map(FlowRule::prefixToController),
        prefixes().map(prefix -> FlowRule.prefixToController(prefix).superseded()),
        Combinators.combine(prefixes(), groupIds).as(FlowRule::routeToGroup),
        Combinators.combine(prefixes(), ports()).as(FlowRule::routeToPort),
        Combinators.combine(sources(), prefixes(), groupIds).as(FlowRule::pairToGroup),
        Combinators.combine(sources(), prefixes(), ports()).as(FlowRule::pairToPort),
        Combinators.combine(Arbitraries.integers(), ports(), macs, macs).as(FlowRule::deliver),
        Combinators.combine(Arbitraries.integers(), ports(), macs, macs).as(FlowRule::hairpin),
        Combinators.combine(Arbitraries.integers(), macs, Arbitraries.integers(), macs, ports())
            .as(FlowRule::arpReply));
  }

  /** Groups of up to {@link GroupCodec#MAX_BUCKETS}, with ids of the same range. */
  public static Arbitrary<SelectGroup> groups(int firstGroup, int lastGroup) {
    Arbitrary<Integer> weights = Arbitraries.integers().between(1, GroupCodec.MAX_WEIGHT);
    Arbitrary<Integer> sizes =
        Arbitraries.oneOf(
            Arbitraries.integers().between(1, 16), Arbitraries.of(256, GroupCodec.MAX_BUCKETS));
    return sizes.flatMap(
        size ->
            Combinators.combine(
                    Arbitraries.integers().between(firstGroup, lastGroup),
                    ports().withoutEdgeCases().array(int[].class).ofSize(size),
                    weights.withoutEdgeCases().array(int[].class).ofSize(size))
                .as(SelectGroup::new));
  }

  /** A small group over ports 1 to 4. */
  public static SelectGroup group(int id, int... weights) {
    return new SelectGroup(id, IntStream.rangeClosed(1, weights.length).toArray(), weights);
  }
}
