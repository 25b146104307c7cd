package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class ReplayWindowTest {
  /** The fake host must do what a host does: against all sequences ever accepted, kept in a set. */
  @Property
  void acceptsEachSequenceOnceUnlessItIs64Behind(
      @ForAll List<@LongRange(min = 0, max = 300) Long> sequences) {
    ReplayWindow window = new ReplayWindow();
    Set<Long> accepted = new HashSet<>();
    long highest = 0;
    for (long sequence : sequences) {
      boolean fresh = sequence > 0 && sequence > highest - 64 && !accepted.contains(sequence);
      assertEquals(fresh, window.accept(sequence));
      if (fresh) {
        accepted.add(sequence);
        highest = Math.max(highest, sequence);
      }
      assertEquals(highest - accepted.size(), window.lost());
    }
  }
}
