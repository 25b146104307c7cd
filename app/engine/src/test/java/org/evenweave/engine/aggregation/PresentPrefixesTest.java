package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

class PresentPrefixesTest {
  private static final AddressModel MODEL = new AddressModel(4);

  @Property
  void aPrefixIsHiddenWhereLongerOnesHoldEachAddress(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Ipv4Prefix> plain = new HashSet<>();
    for (int i = random.nextInt(16); i > 0; i--) {
      plain.add(MODEL.anyPrefix(random));
    }
    PresentPrefixes present = new PresentPrefixes(List.copyOf(plain));
    for (int i = 0; i < 30; i++) {
      Ipv4Prefix changed = MODEL.anyPrefix(random);
      if (random.nextBoolean()) {
        plain.add(changed);
        present.add(changed);
      } else {
        assertEquals(plain.remove(changed), present.remove(changed));
      }
      for (Ipv4Prefix prefix : MODEL.prefixes()) {
        assertEquals(
            isHidden(prefix, plain), present.isHidden(prefix), () -> prefix + " in " + plain);
      }
    }
  }

  private static boolean isHidden(Ipv4Prefix prefix, Set<Ipv4Prefix> present) {
    return present.contains(prefix)
        && MODEL.prefixes().stream()
            .filter(each -> each.length() == 32 && each.overlaps(prefix))
            .allMatch(
                address ->
                    present.stream()
                        .anyMatch(
                            each -> each.length() > prefix.length() && each.overlaps(address)));
  }
}
