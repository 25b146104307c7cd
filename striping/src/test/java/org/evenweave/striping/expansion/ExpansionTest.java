package org.evenweave.striping.expansion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.striping.AllPlans;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.expansion.RewiringStep.Action;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.junit.jupiter.api.Test;

class ExpansionTest {

  private static final StripingParameters FIGURE = StripingParameters.of(6, 6, 8, 8);

  @Test
  void newS1SwitchesMoveNoLink() {
    Wiring present = Wiring.of(StripingKind.GROUP.plan(FIGURE));
    StripingParameters target = ExpansionTarget.addS1(FIGURE, 3);
    Expansion expansion = expandAndFollow(present, target, StripingKind.GROUP);
    assertEquals(StripingParameters.of(9, 6, 8, 12), target);
    assertEquals(0, expansion.linksMoved());
    assertEquals(24, count(expansion, Action.ADD));
    assertEquals(24, expansion.steps().size());
    assertEquals("add s1-6 port 1 to s2-0 port 9", expansion.steps().get(0).toString());
    assertTrue(expansion.wiring().links().containsAll(present.links()));
  }

  @Test
  void newS2SwitchesTakeOneEndOfTheLinksTheyNeedAndNoMore() {
    Wiring present = Wiring.of(StripingKind.GROUP.plan(FIGURE));
    StripingParameters target = ExpansionTarget.addS2(FIGURE, 2);
    Expansion expansion = expandAndFollow(present, target, StripingKind.GROUP);
    assertEquals(StripingParameters.of(6, 8, 8, 6), target);
    assertEquals(2 * 6, expansion.linksMoved());
    assertEquals(12, count(expansion, Action.MOVE));
    assertEquals(12, expansion.steps().size());
    assertEquals(
        "move s1-0 port 2 from s2-0 port 2 to s2-6 port 1", expansion.steps().get(0).toString());
  }

  @Test
  void s1SwitchesThatShareFullS2SwitchesHandOverTheS1EndsOfTheirLinks() {
    Wiring present = Wiring.of(StripingKind.GROUP.plan(FIGURE));
    Expansion expansion =
        expandAndFollow(present, StripingParameters.of(8, 6, 6, 8), StripingKind.GROUP);
    assertEquals(12, expansion.linksMoved());
    assertEquals(12, count(expansion, Action.MOVE));
    assertEquals(12, expansion.steps().size());
    assertEquals(
        "move s2-0 port 2 from s1-0 port 2 to s1-6 port 1", expansion.steps().get(0).toString());
  }

  @Test
  void linksThatTradePlacesOnFullSwitchesGoByWayOfOneLooseLink() {
    Wiring present =
        Wiring.of(
            2,
            2,
            List.of(
                new WiredLink(0, 1, 0, 1),
                new WiredLink(0, 2, 0, 2),
                new WiredLink(1, 1, 1, 1),
                new WiredLink(1, 2, 1, 2)));
    Expansion expansion =
        expandAndFollow(present, StripingParameters.of(2, 2, 2, 2), StripingKind.ROTATION);
    assertEquals(
        List.of(
            "unplug s1-1 port 2 from s2-1 port 2",
            "move s1-0 port 2 from s2-0 port 2 to s2-1 port 2",
            "plug s1-1 port 2 into s2-0 port 2"),
        expansion.steps().stream().map(RewiringStep::toString).collect(Collectors.toList()));
    assertEquals(2, expansion.linksMoved());
  }

  @Test
  void linksThatGoRoundThreeFullSwitchesAreMovedBackwardsBehindTheLooseOne() {
    int[][] counts = {{2, 0, 1}, {1, 2, 0}, {0, 1, 2}};
    List<WiredLink> links = new ArrayList<>();
    int[] s2Port = new int[3];
    for (int s1 = 0; s1 < 3; s1++) {
      int s1Port = 0;
      for (int s2 = 0; s2 < 3; s2++) {
        for (int link = 0; link < counts[s1][s2]; link++) {
          links.add(new WiredLink(s1, ++s1Port, s2, ++s2Port[s2]));
        }
      }
    }
    Expansion expansion =
        expandAndFollow(
            Wiring.of(3, 3, links), StripingParameters.of(3, 3, 3, 3), StripingKind.GROUP);
    assertEquals(
        List.of(
            "unplug s1-2 port 3 from s2-2 port 3",
            "move s1-1 port 3 from s2-1 port 2 to s2-2 port 3",
            "move s1-0 port 2 from s2-0 port 2 to s2-1 port 2",
            "plug s1-2 port 3 into s2-0 port 2"),
        expansion.steps().stream().map(RewiringStep::toString).collect(Collectors.toList()));
  }

  @Test
  void linksForWhichNoPlaceIsLeftAreRemovedFirst() {
    Wiring present = Wiring.of(StripingKind.GROUP.plan(StripingParameters.of(2, 2, 4, 4)));
    Expansion expansion =
        expandAndFollow(present, StripingParameters.of(2, 2, 2, 2), StripingKind.GROUP);
    assertEquals(4, expansion.linksMoved());
    assertEquals(4, count(expansion, Action.REMOVE));
    assertEquals("remove s1-0 port 2 from s2-0 port 2", expansion.steps().get(0).toString());
  }

  @Test
  void fabricThatIsAsItShouldBeNeedsNoSteps() {
    StripingPlan plan = StripingKind.ROTATION.plan(FIGURE);
    Expansion expansion = Expansion.plan(Wiring.of(plan), FIGURE, StripingKind.GROUP);
    assertEquals(List.of(), expansion.steps());
    assertEquals(plan, expansion.plan());
    assertEquals(Wiring.of(plan), expansion.wiring());
  }

  @Test
  void unwiredFabricGetsTheFreshPlan() {
    for (StripingKind kind : StripingKind.values()) {
      Expansion expansion = expandAndFollow(Wiring.of(1, 1, List.of()), FIGURE, kind);
      assertEquals(kind.plan(FIGURE), expansion.plan());
      assertEquals(Wiring.of(kind.plan(FIGURE)), expansion.wiring());
    }
  }

  /** Every growth of every plan within 3 by 4 switches, against all plans of the new size. */
  @Test
  void noPlanOfTheNewSizeKeepsMoreLinksNorAmongThoseIsCloserToTheKind() {
    for (StripingParameters old : fabrics(3, 4, 2)) {
      for (StripingParameters target : fabrics(3, 4, 2)) {
        if (target.s1Count() >= old.s1Count() && target.s2Count() >= old.s2Count()) {
          for (StripingKind kind : StripingKind.values()) {
            checkOptimal(Wiring.of(kind.plan(old)), target, kind);
          }
        }
      }
    }
  }

  @Property(tries = 100)
  void noPlanKeepsMoreLinksOfAnyWiringNorAmongThoseIsCloserToTheKind(
      @ForAll @IntRange(min = 1, max = 4) int s1,
      @ForAll @IntRange(min = 2, max = 4) int s2,
      @ForAll @IntRange(min = 1, max = 11) int uplinks,
      @ForAll StripingKind kind,
      @ForAll long seed) {
    StripingParameters target = divisible(4, s2, uplinks);
    checkOptimal(randomWiring(s1, s2, target, new Random(seed)), target, kind);
  }

  private static void checkOptimal(Wiring present, StripingParameters target, StripingKind kind) {
    int[][] wired = present.linkCounts();
    int[][] fresh = kind.plan(target).matrix();
    // Kept links first, then common entries: at most 16 of them.
    int best =
        AllPlans.of(target).mapToInt(m -> 17 * kept(wired, m) + common(fresh, m)).max().getAsInt();
    Expansion expansion = expandAndFollow(present, target, kind);
    int[][] plan = expansion.plan().matrix();
    assertEquals(
        best, 17 * kept(wired, plan) + common(fresh, plan), () -> present + " to " + target);
  }

  private static int kept(int[][] wired, int[][] plan) {
    int kept = 0;
    for (int s1 = 0; s1 < wired.length; s1++) {
      for (int s2 = 0; s2 < wired[s1].length; s2++) {
        kept += Math.min(wired[s1][s2], plan[s1][s2]);
      }
    }
    return kept;
  }

  /** Entries that are equal. */
  private static int common(int[][] a, int[][] b) {
    return IntStream.range(0, a.length)
        .map(
            row ->
                (int) IntStream.range(0, a[row].length).filter(c -> a[row][c] == b[row][c]).count())
        .sum();
  }

  private static List<StripingParameters> fabrics(int s1Most, int s2Most, int basesBelow) {
    List<StripingParameters> fabrics = new ArrayList<>();
    for (int s1 = 1; s1 <= s1Most; s1++) {
      for (int s2 = 1; s2 <= s2Most; s2++) {
        for (int uplinks = 1; uplinks < s2 * basesBelow; uplinks++) {
          if (s1 * uplinks % s2 == 0) {
            fabrics.add(StripingParameters.of(s1, s2, uplinks, s1 * uplinks / s2));
          }
        }
      }
    }
    return fabrics;
  }

  @Property(tries = 300)
  void stepsFromAnyWiringCanBeFollowed(
      @ForAll @IntRange(min = 1, max = 8) int s1,
      @ForAll @IntRange(min = 1, max = 8) int s2,
      @ForAll @IntRange(min = 0, max = 3) int moreS1,
      @ForAll @IntRange(min = 0, max = 3) int moreS2,
      @ForAll @IntRange(min = 1, max = 12) int uplinks,
      @ForAll StripingKind kind,
      @ForAll long seed) {
    StripingParameters target = divisible(s1 + moreS1, s2 + moreS2, uplinks);
    expandAndFollow(randomWiring(s1, s2, target, new Random(seed)), target, kind);
  }

  /** Links between random ports, each stage with up to three ports too many, few or all in use. */
  private static Wiring randomWiring(int s1, int s2, StripingParameters like, Random random) {
    int s1Ports = like.uplinks() + random.nextInt(4);
    int s2Ports = like.downlinks() + random.nextInt(4);
    int attempts = random.nextInt(3 * like.links());
    Set<String> used = new HashSet<>();
    List<WiredLink> links = new ArrayList<>();
    for (int attempt = 0; attempt < attempts; attempt++) {
      WiredLink link =
          new WiredLink(
              random.nextInt(s1),
              1 + random.nextInt(s1Ports),
              random.nextInt(s2),
              1 + random.nextInt(s2Ports));
      String s1Port = Stage.S1.port(link);
      String s2Port = Stage.S2.port(link);
      if (!used.contains(s1Port) && !used.contains(s2Port)) {
        used.addAll(List.of(s1Port, s2Port));
        links.add(link);
      }
    }
    return Wiring.of(s1, s2, links);
  }

  private static StripingParameters divisible(int s1, int s2, int least) {
    int uplinks = least;
    while (s1 * uplinks % s2 != 0) {
      uplinks++;
    }
    return StripingParameters.of(s1, s2, uplinks, s1 * uplinks / s2);
  }

  /** Uplink ports joined to downlink ports at random, none free: moves then come in cycles. */
  @Property(tries = 200)
  void stepsOnFullSwitchesCanBeFollowed(
      @ForAll @IntRange(min = 1, max = 8) int s1,
      @ForAll @IntRange(min = 1, max = 8) int s2,
      @ForAll @IntRange(min = 1, max = 12) int uplinks,
      @ForAll StripingKind kind,
      @ForAll long seed) {
    StripingParameters parameters = divisible(s1, s2, uplinks);
    List<Integer> downlinkPorts =
        IntStream.range(0, parameters.links()).boxed().collect(Collectors.toList());
    Collections.shuffle(downlinkPorts, new Random(seed));
    List<WiredLink> links = new ArrayList<>();
    for (int link = 0; link < parameters.links(); link++) {
      links.add(
          new WiredLink(
              link / parameters.uplinks(),
              1 + link % parameters.uplinks(),
              downlinkPorts.get(link) / parameters.downlinks(),
              1 + downlinkPorts.get(link) % parameters.downlinks()));
    }
    Expansion expansion = expandAndFollow(Wiring.of(s1, s2, links), parameters, kind);
    assertEquals(0, count(expansion, Action.REMOVE) + count(expansion, Action.ADD));
  }

  /** Plans an expansion and checks all that holds for any. */
  private static Expansion expandAndFollow(
      Wiring present, StripingParameters target, StripingKind kind) {
    Expansion expansion = Expansion.plan(present, target, kind);
    PatchPanel panel = new PatchPanel(present);
    Set<String> before = panel.links();
    expansion.steps().forEach(step -> panel.follow(step.toString()));
    Set<String> after = panel.links();

    assertEquals(new PatchPanel(expansion.wiring()).links(), after);
    int[][] wired = expansion.wiring().linkCounts();
    assertEquals(expansion.plan(), StripingPlan.of(target, wired));
    Set<String> untouched = new HashSet<>(before);
    untouched.retainAll(after);
    assertTrue(untouched.size() >= before.size() - expansion.linksMoved());
    assertEquals(
        before.size() - kept(present.linkCounts(), wired), expansion.linksMoved(), "links moved");
    assertEquals(
        expansion.linksMoved(),
        count(expansion, Action.MOVE)
            + count(expansion, Action.PLUG)
            + count(expansion, Action.REMOVE));
    if (most(present.linkCounts()) <= target.uplinks()
        || most(transposed(present.linkCounts())) <= target.downlinks()) {
      assertEquals(0, count(expansion, Action.REMOVE), "all links serve again");
    }
    assertTrue(usesExistingPorts(present, expansion.wiring(), target), "no port that is not there");
    return expansion;
  }

  /** Largest row sum. */
  private static int most(int[][] counts) {
    return Arrays.stream(counts).mapToInt(row -> IntStream.of(row).sum()).max().getAsInt();
  }

  private static int[][] transposed(int[][] counts) {
    return IntStream.range(0, counts[0].length)
        .mapToObj(s2 -> Arrays.stream(counts).mapToInt(row -> row[s2]).toArray())
        .toArray(int[][]::new);
  }

  private static boolean usesExistingPorts(Wiring before, Wiring after, StripingParameters target) {
    int s1Most =
        Math.max(
            target.uplinks(), before.links().stream().mapToInt(WiredLink::s1Port).max().orElse(0));
    int s2Most =
        Math.max(
            target.downlinks(),
            before.links().stream().mapToInt(WiredLink::s2Port).max().orElse(0));
    return after.links().stream().allMatch(c -> c.s1Port() <= s1Most && c.s2Port() <= s2Most);
  }

  private static int count(Expansion expansion, Action action) {
    return (int) expansion.steps().stream().filter(step -> step.action() == action).count();
  }

  @Test
  void simulatedFabricOfTheDissertationGrowsByNineteenS2SwitchesWithTheFewestMoves() {
    StripingParameters present = StripingParameters.of(19, 57, 96, 32);
    StripingParameters target = ExpansionTarget.addS2(present, 19);
    Expansion expansion =
        expandAndFollow(Wiring.of(StripingKind.GROUP.plan(present)), target, StripingKind.GROUP);
    // Each of the 19 new S2 switches has 24 downlinks; no plan can move fewer links.
    assertEquals(19 * 24, expansion.linksMoved());
  }

  @Test
  void shrinkingIsRefused() {
    Wiring present = Wiring.of(StripingKind.GROUP.plan(FIGURE));
    assertError(
        "s1: an expansion cannot go from 6 switches to 5",
        () -> Expansion.plan(present, StripingParameters.of(5, 6, 6, 5), StripingKind.GROUP));
    assertError(
        "s2: an expansion cannot go from 6 switches to 4",
        () -> Expansion.plan(present, StripingParameters.of(6, 4, 4, 6), StripingKind.GROUP));
  }

  @Test
  void fabricsTooLargeForTheOptimumAreRefused() {
    assertError(
        "s1 x s2: must be at most 262144 for an expansion, was 513 x 512",
        () ->
            Expansion.plan(
                Wiring.of(1, 1, List.of()),
                StripingParameters.of(513, 512, 512, 513),
                StripingKind.GROUP));
  }

  @Test
  void targetsWhosePortsDoNotComeOutWholeAreRefusedWithAWayOut() {
    assertError(
        "added s1: 2 x 8 uplinks cannot be shared equally by 6 s2; add a multiple of 3",
        () -> ExpansionTarget.addS1(FIGURE, 2));
    assertError(
        "added s2: 6 x 8 = 48 uplinks cannot be shared equally by 7 s2; add 2",
        () -> ExpansionTarget.addS2(FIGURE, 1));
    assertError(
        "added s2: 6 x 8 = 48 uplinks cannot be shared equally by 49 s2; no larger number can either",
        () -> ExpansionTarget.addS2(FIGURE, 43));
    assertError("added switches: must be 1 to 4090, was 0", () -> ExpansionTarget.addS1(FIGURE, 0));
    assertError(
        "added switches: must be 1 to 4090, was 2147483647",
        () -> ExpansionTarget.addS2(FIGURE, Integer.MAX_VALUE));
  }

  private static void assertError(String message, Runnable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action::run).getMessage());
  }
}
