package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Which of the packets of a class that hosts send arrive at a port of a switch: followed backwards
 * over the rules that may have sent them there, until ports with hosts are found, and forwards
 * again through what the rules write. Tables beyond the first of another's rule are taken to send
 * all that they could.
 */
final class Arrivals {
  /** A search that takes more steps ends, and all of the class counts as arriving. */
  private static final int MAX_STEPS = 20_000;

  private final NetworkRules network;

  /** Results that no search in progress has an effect on. */
  private final Map<List<Object>, List<HeaderClass>> known = new HashMap<>();

  /** What is being searched now. */
  private final Set<List<Object>> underWay = new HashSet<>();

  private boolean isCut;
  private int steps;

  Arrivals(NetworkRules network) {
    this.network = network;
  }

  /**
   * The parts of a class that arrive; some may overlap.
   *
   * @param headers as they come, without what belongs to a switch
   */
  List<HeaderClass> arriving(String switchId, int inPort, HeaderClass headers) {
    steps = 0;
    underWay.clear();
    isCut = false;
    return arriving(new SwitchPort(switchId, inPort), headers);
  }

  private List<HeaderClass> arriving(SwitchPort port, HeaderClass headers) {
    SwitchPort peer = network.ports().peer(port);
    if (peer == null) {
      return bringsPackets(port)
          ? network.rules(port.switchId()).admitted(port.number(), headers)
          : List.of();
    }
    if (!network.knows(peer.switchId())) {
      return List.of();
    }
    if (++steps > MAX_STEPS) {
      isCut = true;
      return List.of(headers);
    }
    List<Object> search = List.of(port, headers);
    List<HeaderClass> result = known.get(search);
    if (result != null) {
      return result;
    }
    if (!underWay.add(search)) {
      // They come from where they go to; what is written on the way may make others of them.
      isCut = true;
      return network.writesFields() ? List.of(headers) : List.of();
    }
    boolean wasCut = isCut;
    isCut = false;
    result = comingFrom(peer, headers);
    underWay.remove(search);
    if (!isCut) {
      known.put(search, result);
    }
    isCut |= wasCut;
    return result;
  }

  /** What a switch sends out of a port. */
  private List<HeaderClass> comingFrom(SwitchPort out, HeaderClass headers) {
    SwitchRules rules = network.rules(out.switchId());
    Set<HeaderClass> found = new LinkedHashSet<>();
    for (TableEntry entry : rules.ownIn(0, headers)) {
      HeaderClass before = sends(rules, entry, out.number()) ? entry.match.and(headers) : null;
      if (before != null
          && addAll(out, rules, entry, new Departure(before, false, true), headers, found)) {
        return List.of(headers);
      }
    }
    for (TableEntry entry : rules.foreignIn(0)) {
      for (Departure departure : departures(rules, entry.foreign, out.number(), headers)) {
        if (addAll(out, rules, entry, departure, headers, found)) {
          return List.of(headers);
        }
      }
    }
    return List.copyOf(found);
  }

  /** Whether anything comes to a switch by a port: hosts or another switch are there. */
  boolean bringsPackets(SwitchPort port) {
    return network.ports().peer(port) != null
        || (network.ports().hasHosts(port.switchId()) && !network.ports().isDead(port));
  }

  /**
   * Adds what comes to a switch, meets an entry there and leaves so.
   *
   * @return whether that is all of the class
   */
  private boolean addAll(
      SwitchPort out,
      SwitchRules rules,
      TableEntry entry,
      Departure departure,
      HeaderClass headers,
      Set<HeaderClass> found) {
    for (int inPort : network.ports().ports(out.switchId())) {
      boolean may = inPort == out.number() ? departure.fromSamePort : departure.fromOthers;
      SwitchPort in = new SwitchPort(out.switchId(), inPort);
      HeaderClass coming =
          may && bringsPackets(in) ? departure.before.with(HeaderField.IN_PORT, inPort) : null;
      if (coming == null) {
        continue;
      }
      // Port by port, because rules for other ports need not be taken out then.
      for (HeaderClass part : rules.visible(0, entry.rank, coming)) {
        for (HeaderClass arrived : arriving(in, HeaderField.leaving(part))) {
          HeaderClass left = departure.after(arrived, headers);
          if (left != null && left.contains(headers)) {
            return true;
          }
          if (left != null) {
            found.add(left);
          }
        }
      }
    }
    return false;
  }

  /** How packets leave a switch: what they were before, and by which ports they may have come. */
  private static final class Departure {
    final HeaderClass before;

    /** Whether packets leave so that came in by the port which they leave by. */
    final boolean fromSamePort;

    /** Whether packets leave so that came in by another port. */
    final boolean fromOthers;

    /** What is done to packets before they leave; null if that is not known. */
    final List<ForeignAction> actions;

    Departure(HeaderClass before, boolean fromSamePort, boolean fromOthers) {
      this(before, fromSamePort, fromOthers, List.of());
    }

    Departure(
        HeaderClass before, boolean fromSamePort, boolean fromOthers, List<ForeignAction> actions) {
      this.before = before;
      this.fromSamePort = fromSamePort;
      this.fromOthers = fromOthers;
      this.actions = actions;
    }

    /** What becomes of packets, of those that are wanted; null if none of them do. */
    HeaderClass after(HeaderClass came, HeaderClass wanted) {
      if (actions == null) {
        return wanted;
      }
      HeaderClass now = came;
      for (ForeignAction action : actions) {
        if (action.kind() == ForeignAction.Kind.SET_FIELD) {
          now =
              now.set(
                  action.number(),
                  action.high(),
                  action.low(),
                  action.maskHigh(),
                  action.maskLow());
        }
      }
      return now.and(wanted);
    }
  }

  private static boolean sends(SwitchRules rules, TableEntry entry, int port) {
    if (entry.own == null || !entry.own.isRoute()) {
      return false;
    }
    for (int member : rules.own.outPorts(entry.own)) {
      if (member == port) {
        return true;
      }
    }
    return false;
  }

  /** How packets that a rule makes these may leave by a port. */
  private static List<Departure> departures(
      SwitchRules rules, ForeignRule rule, int port, HeaderClass after) {
    if (rule.gotoTable() != ForeignRule.NO_TABLE) {
      return List.of(new Departure(rule.match(), true, true, null));
    }
    List<ForeignAction> actions = new ArrayList<>(rule.applied());
    actions.addAll(ActionSet.inOrder(rule.written()));
    List<Departure> found = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      ForeignAction action = actions.get(i);
      if (mayOutput(rules, action, port)) {
        boolean isDirect = action.kind() == ForeignAction.Kind.OUTPUT;
        boolean isBack = isDirect && action.number() == ForeignAction.PORT_IN_PORT;
        HeaderClass before = isDirect ? after : HeaderClass.ALL;
        for (int earlier = i - 1; earlier >= 0 && before != null; earlier--) {
          before = beforeSetting(actions.get(earlier), before);
        }
        before = before == null ? null : before.and(rule.match());
        if (before != null) {
          found.add(
              new Departure(
                  before, isBack || !isDirect, !isBack, isDirect ? actions.subList(0, i) : null));
        }
      }
    }
    return found;
  }

  /** The headers that become these when an action is carried out; null if there are none. */
  private static HeaderClass beforeSetting(ForeignAction action, HeaderClass after) {
    if (action.kind() != ForeignAction.Kind.SET_FIELD) {
      return after;
    }
    HeaderClass set =
        after.with(
            action.number(), action.high(), action.low(), action.maskHigh(), action.maskLow());
    return set == null ? null : set.without(action.number(), action.maskHigh(), action.maskLow());
  }

  private static boolean mayOutput(SwitchRules rules, ForeignAction action, int port) {
    return mayOutput(rules, action, port, new HashSet<>());
  }

  private static boolean mayOutput(
      SwitchRules rules, ForeignAction action, int port, Set<Integer> seen) {
    switch (action.kind()) {
      case OUTPUT:
        // Reserved ports may be any, but for the controller and the switch itself.
        return action.number() == port
            || (action.number() >>> 4 == ForeignAction.PORT_ALL >>> 4
                && action.number() != ForeignAction.PORT_CONTROLLER
                && action.number() != ForeignAction.PORT_LOCAL);
      case GROUP:
        return mayOutput(rules, action.number(), port, seen);
      case RESUBMIT:
      case UNKNOWN:
        return true;
      default:
        return false;
    }
  }

  private static boolean mayOutput(SwitchRules rules, int group, int port, Set<Integer> seen) {
    SelectGroup own = rules.own.group(group);
    if (own != null) {
      return own.weightOf(port) > 0;
    }
    ForeignGroup foreign = rules.foreign.groups().get(group);
    return foreign != null
        && seen.add(group)
        && foreign.buckets().stream()
            .flatMap(bucket -> bucket.actions().stream())
            .anyMatch(action -> mayOutput(rules, action, port, seen));
  }
}
