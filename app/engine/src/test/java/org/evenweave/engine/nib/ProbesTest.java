package org.evenweave.engine.nib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.SwitchPort;

class ProbesTest {
  private static final int MAX_ARRIVALS = 16;

  /** Against a plain set of pairs, in the order in which they were found. */
  @Property(tries = 300)
  void probesAreThoseThatWereSeenAndNeitherLostNorForgotten(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<SwitchPort> ports = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      ports.add(new SwitchPort("s" + i % 5, 1 + i / 5));
    }
    Probes probes = new Probes();
    Set<List<SwitchPort>> model = new LinkedHashSet<>();
    for (int step = 0; step < 400; step++) {
      // Few ports send most probes, so that some arrive at more ports than are kept.
      SwitchPort from = ports.get(random.nextInt(random.nextBoolean() ? 2 : ports.size()));
      SwitchPort to = ports.get(random.nextInt(ports.size()));
      List<SwitchPort> pair = List.of(from, to);
      int what = random.nextInt(12);
      if (what < 8) {
        boolean isKept = arrivals(model, from).size() < MAX_ARRIVALS && model.add(pair);
        assertEquals(isKept, probes.seen(from, to));
      } else if (what < 11) {
        assertEquals(model.remove(pair), probes.lost(from, to));
      } else {
        probes.forget(to);
        model.removeIf(each -> each.contains(to));
      }
    }
    for (SwitchPort port : ports) {
      assertEquals(arrivals(model, port), probes.arrivalsOf(port));
      assertEquals(model.stream().anyMatch(pair -> pair.contains(port)), probes.passes(port));
      ports.forEach(
          peer ->
              assertEquals(
                  model.contains(List.of(port, peer)) && model.contains(List.of(peer, port)),
                  probes.join(port, peer)));
      Set<SwitchPort> ends = new HashSet<>();
      model.forEach(ends::addAll);
      ends.removeIf(end -> !end.switchId().equals(port.switchId()));
      assertEquals(ends, probes.endsOf(port.switchId()));
    }
  }

  private static List<SwitchPort> arrivals(Set<List<SwitchPort>> model, SwitchPort from) {
    return model.stream()
        .filter(pair -> pair.get(0).equals(from))
        .map(pair -> pair.get(1))
        .collect(Collectors.toList());
  }
}
