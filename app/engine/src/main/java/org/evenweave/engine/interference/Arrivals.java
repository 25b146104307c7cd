package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Whether packets of a class that hosts send come to a switch by a port: followed backwards over
 * the rules that may have sent them there, until a port with hosts is found. Tables beyond the
 * first of another's rule are taken to send all that they could.
 */
final class Arrivals {
  private final NetworkRules network;

  Arrivals(NetworkRules network) {
    this.network = network;
  }

  /**
   * @param headers as they come, without what belongs to a switch
   */
  boolean arrive(String switchId, int inPort, HeaderClass headers) {
    return arrive(new SwitchPort(switchId, inPort), headers, new HashSet<>());
  }

  private boolean arrive(SwitchPort port, HeaderClass headers, Set<Object> seen) {
    SwitchPort peer = network.ports().peer(port);
    if (peer == null) {
      return network.ports().hasHosts(port.switchId()) && !network.ports().isDead(port);
    }
    if (!network.knows(peer.switchId()) || !seen.add(List.of(port, headers))) {
      return false;
    }
    SwitchRules rules = network.rules(peer.switchId());
    for (TableEntry entry : rules.foreignIn(0)) {
      for (Departure before : departures(rules, entry.foreign, peer.number(), headers)) {
        if (comesFrom(peer, rules, entry, before, seen)) {
          return true;
        }
      }
    }
    for (TableEntry entry : rules.ownIn(0, headers)) {
      HeaderClass before = sends(rules, entry, peer.number()) ? entry.match.and(headers) : null;
      if (before != null
          && comesFrom(peer, rules, entry, new Departure(before, false, true), seen)) {
        return true;
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

    Departure(HeaderClass before, boolean fromSamePort, boolean fromOthers) {
      this.before = before;
      this.fromSamePort = fromSamePort;
      this.fromOthers = fromOthers;
    }
  }

  /** Whether packets come to a switch that meet an entry which sends them out of a port. */
  private boolean comesFrom(
      SwitchPort out, SwitchRules rules, TableEntry entry, Departure departure, Set<Object> seen) {
    for (HeaderClass part : rules.visible(0, entry.rank, departure.before)) {
      for (int inPort : network.ports().ports(out.switchId())) {
        boolean may = inPort == out.number() ? departure.fromSamePort : departure.fromOthers;
        HeaderClass coming = may ? part.with(HeaderField.IN_PORT, inPort) : null;
        if (coming != null
            && arrive(new SwitchPort(out.switchId(), inPort), HeaderField.leaving(coming), seen)) {
          return true;
        }
      }
    }
    return false;
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
      return List.of(new Departure(rule.match(), true, true));
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
          found.add(new Departure(before, isBack || !isDirect, !isBack));
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
