package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.wcmp.fitting.CommonLevel.Bracket;
import org.evenweave.wcmp.fitting.Frontier.Step;

/**
 * Spends the rest of a table, once no group can be improved, on ports that were left out: each
 * group in turn gets as many of its ports back as the entries left allow at the oversubscription
 * that it has.
 */
final class MorePorts {
  private MorePorts() {}

  /**
   * @param members what takes entries of its own
   * @param steps those of the members, aligned
   * @param entries of the whole table
   * @return aligned: of the same levels
   */
  static List<Step> from(List<Bracket> members, List<Step> steps, int entries) {
    long left = entries - steps.stream().mapToLong(step -> step.entries).sum();
    List<Step> kept = new ArrayList<>(steps);
    for (int m = 0; m < kept.size(); m++) {
      Step step = kept.get(m);
      int most = (int) Math.min(Integer.MAX_VALUE, step.entries + left);
      Step more = members.get(m).frontier().withMostPorts(step, most);
      left -= more.entries - step.entries;
      kept.set(m, more);
    }
    return kept;
  }
}
