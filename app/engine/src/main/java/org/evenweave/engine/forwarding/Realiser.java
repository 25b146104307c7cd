package org.evenweave.engine.forwarding;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.realisation.GroupRequest;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Lays groups out as slots, near to what is installed. In a fabric of equal pods most switches ask
 * for what another one has asked for already; every distinct question is answered once.
 */
final class Realiser {
  private static final SwitchTarget TARGET = SwitchTarget.OVS_UNIT_BUCKETS;

  private final Ratio limit;
  private final Map<List<Object>, Realisation> answers = new HashMap<>();

  /**
   * @param limit on the oversubscription, at least 1
   */
  Realiser(Ratio limit) {
    this.limit = limit;
  }

  /**
   * @param ports distinct
   * @param weights aligned with {@code ports}
   * @param slots a power of two
   * @param installed the group that the new one replaces, or null
   */
  Realisation realise(
      int[] ports, long[] weights, SlotLayout layout, int slots, SelectGroup installed) {
    List<Object> question =
        List.of(
            IntBuffer.wrap(ports),
            LongBuffer.wrap(weights),
            layout,
            slots,
            IntBuffer.wrap(installed == null ? new int[0] : installed.ports()),
            IntBuffer.wrap(installed == null ? new int[0] : installed.weights()));
    Realisation known = answers.get(question);
    if (known == null) {
      known =
          TARGET.ofSize(
              new GroupRequest(ports, weights, limit, layout),
              slots,
              installed == null ? null : TARGET.realise(installed.ports(), installed.weights()));
      answers.put(question, known);
    }
    return known;
  }
}
