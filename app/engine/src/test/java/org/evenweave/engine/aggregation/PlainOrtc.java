package org.evenweave.engine.aggregation;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * ORTC as its authors give it (Draves, King, Venkatachary and Zill, "Constructing optimal IP
 * routing tables", INFOCOM 1999), from scratch on the full trie of a small universe: how many rules
 * it takes. An address that no rule may cover has the one route "", which no rule can give.
 */
final class PlainOrtc {
  private final AddressModel model;
  private final List<String> actions;

  private PlainOrtc(AddressModel model, SwitchTables tables) {
    this.model = model;
    actions = model.actions(tables);
  }

  static int ruleCount(AddressModel model, SwitchTables tables) {
    return new PlainOrtc(model, tables).rules(model.all(), "");
  }

  /** The second pass: the routes that are best for a part; null if it leaves the choice. */
  private Set<String> best(Ipv4Prefix part) {
    if (part.length() == 32) {
      String action = actions.get(model.number(part));
      return action.isEmpty() || AddressModel.isRoute(action) ? Set.of(action) : null;
    }
    Set<String> low = best(AddressModel.low(part));
    Set<String> high = best(AddressModel.high(part));
    if (low == null || high == null) {
      return low == null ? high : low;
    }
    if (low.contains("") || high.contains("")) {
      return Set.of("");
    }
    Set<String> both = new TreeSet<>(low);
    both.retainAll(high);
    if (both.isEmpty()) {
      both.addAll(low);
      both.addAll(high);
    }
    return both;
  }

  /** The third pass: a part needs a rule if what it inherits is not among its best. */
  private int rules(Ipv4Prefix part, String inherited) {
    Set<String> best = best(part);
    boolean needsOne = best != null && !best.contains(inherited);
    String passedOn = needsOne ? best.iterator().next() : inherited;
    int below =
        part.length() == 32
            ? 0
            : rules(AddressModel.low(part), passedOn) + rules(AddressModel.high(part), passedOn);
    return below + (needsOne ? 1 : 0);
  }
}
