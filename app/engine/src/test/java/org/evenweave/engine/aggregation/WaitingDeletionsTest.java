package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

class WaitingDeletionsTest {
  private static final AddressModel MODEL = new AddressModel(5);

  /** Puts in any order, and deletions that did not wait. */
  @Property
  void noRuleWaitsWithoutAPutInsideOrADeletionAround(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Ipv4Prefix> waiting = new TreeSet<>();
    List<Ipv4Prefix> puts = new ArrayList<>();
    Set<Ipv4Prefix> all = new HashSet<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      Ipv4Prefix prefix = MODEL.anyPrefix(random);
      if (all.add(prefix)) {
        (random.nextBoolean() ? waiting : puts).add(prefix);
      }
    }
    WaitingDeletions deletions = new WaitingDeletions(waiting, puts);
    assertEquals(taken(waiting, puts), new TreeSet<>(deletions.take()));
    while (!puts.isEmpty()) {
      deletions.put(puts.remove(random.nextInt(puts.size())));
      if (!waiting.isEmpty() && random.nextInt(4) == 0) {
        Ipv4Prefix deleted = new ArrayList<>(waiting).get(random.nextInt(waiting.size()));
        waiting.remove(deleted);
        deletions.delete(deleted);
      }
      assertEquals(taken(waiting, puts), new TreeSet<>(deletions.take()));
    }
    assertEquals(Set.of(), waiting);
  }

  /** Removes those that need not wait from {@code waiting}: shorter prefixes first. */
  private static Set<Ipv4Prefix> taken(Set<Ipv4Prefix> waiting, List<Ipv4Prefix> puts) {
    Set<Ipv4Prefix> taken = new TreeSet<>();
    for (Ipv4Prefix prefix : MODEL.prefixes()) {
      boolean waits =
          puts.stream().anyMatch(put -> put.length() > prefix.length() && put.overlaps(prefix))
              || waiting.stream()
                  .anyMatch(each -> each.length() < prefix.length() && each.overlaps(prefix));
      if (!waits && waiting.remove(prefix)) {
        taken.add(prefix);
      }
    }
    return taken;
  }
}
