package org.evenweave.engine.aggregation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * How many rules a small universe takes at least, and how many rules of those installed change at
 * least for as few: by trying each route, and none, as the rule of every prefix that there is.
 */
final class SmallestTables {
  private static final int RULE = 10_000;

  /** More than any table takes. */
  private static final int IMPOSSIBLE = 1_000_000_000;

  private final AddressModel model;
  private final List<String> actions;
  private final Map<Ipv4Prefix, String> installed = new HashMap<>();
  private final Set<String> routes = new TreeSet<>();
  private final Map<List<Object>, Integer> known = new HashMap<>();
  private final int least;

  SmallestTables(AddressModel model, SwitchTables wanted, SwitchTables held) {
    this.model = model;
    actions = model.actions(wanted);
    wanted.forEachRoute(rule -> routes.add(AddressModel.action(rule)));
    held.forEachRoute(rule -> installed.put(rule.prefix(), AddressModel.action(rule)));
    least = least(model.all(), "");
  }

  int rules() {
    return least / RULE;
  }

  int changes() {
    return least % RULE;
  }

  private int least(Ipv4Prefix part, String inherited) {
    List<Object> question = List.of(part, inherited);
    Integer answer = known.get(question);
    if (answer == null) {
      answer = with(part, null, inherited);
      for (String route : routes) {
        answer = Math.min(answer, RULE + with(part, route, route));
      }
      known.put(question, answer);
    }
    return answer;
  }

  private int with(Ipv4Prefix part, String rule, String passedOn) {
    int change = Objects.equals(rule, installed.get(part)) ? 0 : 1;
    int below =
        part.length() == 32
            ? below(actions.get(model.number(part)), passedOn)
            : least(AddressModel.low(part), passedOn) + least(AddressModel.high(part), passedOn);
    return Math.min(change + below, IMPOSSIBLE);
  }

  private static int below(String action, String inherited) {
    boolean isRight =
        action.equals(inherited) || (!action.isEmpty() && !AddressModel.isRoute(action));
    return isRight ? 0 : IMPOSSIBLE;
  }
}
