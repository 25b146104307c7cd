package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightReduction;
import org.junit.jupiter.api.Test;

class SwitchTargetTest {
  private static final Ratio LIMIT = Ratio.parse("1.05");

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Groups.limits();
  }

  @Property
  void theRealisedSharesAreWithinTheLimitOrAsNearAsAnySize(
      @ForAll SwitchTarget target,
      @ForAll("typical") int[] weights,
      @ForAll("typical") int[] before,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 32, max = 300) int entries) {
    Realisation installed = target.choose(request(before, limit), entries, null);
    for (Realisation now : new Realisation[] {null, installed}) {
      Realisation chosen = target.choose(request(weights, limit), entries, now);
      Ratio realised = oversubscription(chosen, weights);
      int taken = target.countsBuckets() ? chosen.bucketWeights().length : chosen.slots().size();
      assertTrue(taken <= entries);
      assertTrue(
          realised.compareTo(limit) <= 0 || realised.equals(leastOf(target, weights, entries)));
      // The switch's model gets the buckets that are sent, not the weights wanted.
      Realisation ofBuckets = target.realise(chosen.bucketPorts(), chosen.bucketWeights());
      assertEquals(chosen.slots(), ofBuckets.slots());
    }
  }

  private static Ratio leastOf(SwitchTarget target, int[] weights, int entries) {
    return IntStream.rangeClosed(weights.length, entries)
        .filter(size -> target.canHold(size, entries))
        .mapToObj(size -> request(weights, LIMIT).leastOversubscription(size))
        .min(Ratio::compareTo)
        .get();
  }

  @Property
  void whatIsInstalledStaysWhileItIsWithinTheLimit(
      @ForAll SwitchTarget target, @ForAll("typical") int[] weights) {
    Realisation installed = target.choose(request(weights, LIMIT), 256, null);
    Ratio reached = oversubscription(installed, weights);
    Ratio limit = reached.compareTo(LIMIT) > 0 ? reached : LIMIT;
    Realisation chosen = target.choose(request(weights, limit), 256, installed);
    assertEquals(Ratio.ZERO, installed.moved(chosen));
  }

  @Property
  void aTableOfSlotsMovesNoMoreThanItMust(
      @ForAll("typical") int[] weights, @ForAll @IntRange(max = 23) int which) {
    SwitchTarget target = SwitchTarget.OVS_UNIT_BUCKETS;
    Realisation installed = target.ofSize(request(weights, Ratio.ONE), 256, null);
    int[] changed = weights.clone();
    changed[which % weights.length] *= 2;
    Realisation chosen = target.ofSize(request(changed, Ratio.ONE), 256, installed);
    int gained = 0;
    for (int port = 0; port < weights.length; port++) {
      gained += Math.max(0, chosen.slots().count(port) - installed.slots().count(port));
    }
    assertEquals(Ratio.of(gained, 256), installed.moved(chosen));
  }

  @Test
  void aLooserLimitKeepsMoreFlowsWhereTheyAre() {
    SwitchTarget target = SwitchTarget.OVS_UNIT_BUCKETS;
    Realisation installed = target.ofSize(request(new int[] {1, 1, 2, 2}, Ratio.ONE), 256, null);
    int[] changed = {1, 1, 2, 3};
    Ratio exact = installed.moved(target.ofSize(request(changed, Ratio.ONE), 256, installed));
    Ratio loose =
        installed.moved(target.ofSize(request(changed, Ratio.parse("1.1")), 256, installed));
    // Exactly, the last port must go from 85 to 109 or 110 slots; within 1.1, the others must only
    // come down to 40, 40 and 80: by 11 slots.
    assertEquals(Ratio.of(25, 256), exact);
    assertEquals(Ratio.of(11, 256), loose);
  }

  @Test
  void hardwareTakesTheSmallestGroupWithinTheLimit() {
    int[] weights = {2, 2, 3, 5};
    Ratio limit = Ratio.parse("1.15");
    Realisation chosen = SwitchTarget.REPLICATED_ENTRIES.choose(request(weights, limit), 256, null);
    int[] reduced = WeightReduction.reduce(Groups.longs(weights), limit);
    assertArrayEquals(reduced, IntStream.range(0, 4).map(chosen.slots()::count).toArray());
  }

  @Test
  void aWeightedGroupOfOpenVSwitchIsExactWithOneBucketMore() {
    Realisation chosen =
        SwitchTarget.OVS_WEIGHTED_BUCKETS.choose(
            request(new int[] {1, 1, 2, 2}, Ratio.parse("1.01")), 256, null);
    assertArrayEquals(new int[] {0, 1, 2, 3, 0}, chosen.bucketPorts());
    assertArrayEquals(new int[] {20, 21, 43, 43, 1}, chosen.bucketWeights());
    assertEquals(Ratio.of(21, 128), chosen.share(0));
  }

  @Test
  void aLargeTableTakesAsManySlotsAsTheLimitNeeds() {
    SwitchTarget target = SwitchTarget.OVS_LARGE_TABLES;
    int[] weights = {1000, 1001, 997};
    Realisation chosen = target.choose(request(weights, Ratio.parse("1.001")), 1 << 16, null);
    assertEquals(2048, chosen.slots().size());
    assertTrue(oversubscription(chosen, weights).compareTo(Ratio.parse("1.001")) <= 0);
    Realisation most = target.choose(request(weights, Ratio.ONE), 1 << 16, null);
    assertTrue(oversubscription(most, weights).compareTo(Ratio.parse("1.0001")) <= 0);
    assertEquals(512, target.choose(request(new int[300], LIMIT, 1), 512, null).slots().size());
  }

  @Test
  void whatCannotFitIsRefusedWithTheLeastThatWould() {
    GroupRequest request = request(new int[20], LIMIT, 1);
    assertEquals(20, least(SwitchTarget.REPLICATED_ENTRIES, request));
    assertEquals(32, least(SwitchTarget.OVS_UNIT_BUCKETS, request));
    assertEquals(32, least(SwitchTarget.OVS_WEIGHTED_BUCKETS, request));
    GroupRequest wide = request(new int[257], LIMIT, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> SwitchTarget.OVS_UNIT_BUCKETS.choose(wide, 1024, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> SwitchTarget.OVS_UNIT_BUCKETS.ofSize(request, 48, null));
  }

  private static long least(SwitchTarget target, GroupRequest request) {
    return assertThrows(TableTooSmallException.class, () -> target.choose(request, 19, null))
        .leastEntries();
  }

  private static GroupRequest request(int[] weights, Ratio limit, int all) {
    Arrays.fill(weights, all);
    return request(weights, limit);
  }

  private static GroupRequest request(int[] weights, Ratio limit) {
    return new GroupRequest(
        IntStream.range(0, weights.length).toArray(),
        Groups.longs(weights),
        limit,
        SlotLayout.INTERLEAVED);
  }

  private static Ratio oversubscription(Realisation realised, int[] weights) {
    return realised.oversubscription(
        IntStream.range(0, weights.length).toArray(), Groups.longs(weights));
  }
}
