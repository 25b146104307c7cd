package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Follows a class of packets from a table entry through the network. The class is split where parts
 * of it match different entries, until every part is delivered, lost, or in a loop.
 *
 * <p>A switch sends no packet out of the port that it came in by, unless the output is the reserved
 * port IN_PORT (OpenFlow 1.3.5, section 7.2.5). A bucket of a group whose watched port is dead is
 * skipped.
 */
final class PacketEffects {
  /** Tables and groups that lead to each other without end are not followed further. */
  private static final int MAX_DEPTH = 64;

  private final NetworkRules network;

  /** Whether the controller is where these packets belong, as ARP does. */
  private final boolean controllerIsRight;

  private final Map<Place, Effect> known = new HashMap<>();
  private final List<Place> path = new ArrayList<>();

  /** Entries of later tables that were met, by switch. */
  private final Map<TableEntry, Effect> metLater;

  /**
   * @param metLater gets the entries of other tables than the first that are met, and the worst
   *     that packets come to which meet them
   */
  PacketEffects(NetworkRules network, boolean controllerIsRight, Map<TableEntry, Effect> metLater) {
    this.network = network;
    this.controllerIsRight = controllerIsRight;
    this.metLater = metLater;
  }

  /** Packets that come to a switch by a port. */
  private static final class Place {
    final SwitchPort port;
    final HeaderClass headers;
    final boolean readdressed;

    Place(SwitchPort port, HeaderClass headers, boolean readdressed) {
      this.port = port;
      this.headers = headers;
      this.readdressed = readdressed;
    }

    boolean includes(Place other) {
      return port.equals(other.port)
          && readdressed == other.readdressed
          && headers.contains(other.headers);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place
          && port.equals(((Place) other).port)
          && readdressed == ((Place) other).readdressed
          && headers.equals(((Place) other).headers);
    }

    @Override
    public int hashCode() {
      return Objects.hash(port, headers, readdressed);
    }
  }

  /** A packet within a switch: its headers, and the actions that are written for the end. */
  private static final class Passage {
    final SwitchPort in;
    final HeaderClass headers;
    final boolean readdressed;
    final List<ForeignAction> written;
    final int depth;

    Passage(
        SwitchPort in,
        HeaderClass headers,
        boolean readdressed,
        List<ForeignAction> written,
        int depth) {
      this.in = in;
      this.headers = headers;
      this.readdressed = readdressed;
      this.written = written;
      this.depth = depth;
    }

    Passage with(HeaderClass newHeaders) {
      return new Passage(in, newHeaders, readdressed, written, depth);
    }

    Passage with(List<ForeignAction> newWritten) {
      return new Passage(in, headers, readdressed, newWritten, depth + 1);
    }

    /** After an action that writes a field. */
    Passage after(ForeignAction set) {
      HeaderClass changed =
          headers.set(set.number(), set.high(), set.low(), set.maskHigh(), set.maskLow());
      boolean isAddress = set.number() == HeaderField.IPV4_DST && !changed.equals(headers);
      return new Passage(in, changed, readdressed || isAddress, written, depth);
    }
  }

  /**
   * What becomes of packets that meet an entry of a switch.
   *
   * @param headers of those, as they are in the switch
   */
  Effect of(SwitchPort in, TableEntry entry, HeaderClass headers) {
    return meet(entry, new Passage(in, headers, false, List.of(), 0));
  }

  private Effect arrive(SwitchPort port, HeaderClass headers, boolean readdressed) {
    Place place = new Place(port, headers, readdressed);
    Effect effect = known.get(place);
    if (effect != null) {
      return effect;
    }
    if (path.stream().anyMatch(earlier -> earlier.includes(place))) {
      return new Effect(Effect.Kind.LOOPED, "they come back to " + port);
    }
    if (!network.knows(port.switchId())) {
      return new Effect(Effect.Kind.UNKNOWN, port.switchId() + " is not known");
    }
    path.add(place);
    HeaderClass arriving = HeaderField.arriving(headers, port.number());
    effect = lookUp(0, new Passage(port, arriving, readdressed, List.of(), 0));
    path.remove(path.size() - 1);
    known.put(place, effect);
    return effect;
  }

  private Effect lookUp(int table, Passage passage) {
    if (passage.depth > MAX_DEPTH) {
      return new Effect(
          Effect.Kind.UNKNOWN, passage.in.switchId() + "'s tables form an endless chain");
    }
    Effect[] worst = {Effect.HARMLESS};
    network
        .rules(passage.in.switchId())
        .visit(
            table,
            passage.headers,
            (entry, headers) -> {
              Effect effect = meet(entry, passage.with(headers));
              if (table != 0 && entry.foreign != null) {
                metLater.merge(entry, effect, Effect::or);
              }
              worst[0] = worst[0].or(effect);
            },
            headers ->
                worst[0] =
                    worst[0].or(
                        new Effect(
                            Effect.Kind.LOST,
                            "no rule of " + tableName(passage.in, table) + " matches them")));
    return worst[0];
  }

  private static String tableName(SwitchPort in, int table) {
    return table == 0 ? in.switchId() : in.switchId() + "'s table " + table;
  }

  private Effect meet(TableEntry entry, Passage passage) {
    if (entry.foreign != null) {
      return meet(entry.foreign, passage);
    }
    if (entry.slots != null) {
      return oneOf(entry.slots.memberPorts(), passage);
    }
    if (!entry.own.isRoute()) {
      return passage.readdressed
          ? new Effect(
              Effect.Kind.MISDIRECTED,
              "they arrive at " + passage.in.switchId() + " with a rewritten address")
          : Effect.HARMLESS;
    }
    return route(entry.own, passage);
  }

  private Effect route(FlowRule rule, Passage passage) {
    SwitchRules rules = network.rules(passage.in.switchId());
    if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
      return output(rule.outPort(), passage);
    }
    SelectGroup group = rules.own.group(rule.groupId());
    if (group != null && group.isLarge() && rules.hasForeignIn(SwitchRules.SLOTS_TABLE)) {
      HeaderClass slots =
          passage.headers.without(HeaderField.METADATA).and(SwitchRules.slotsOf(group));
      return lookUp(SwitchRules.SLOTS_TABLE, passage.with(slots).with(passage.written));
    }
    return group == null
        ? new Effect(Effect.Kind.LOST, passage.in.switchId() + " lacks a group")
        : oneOf(group.memberPorts(), passage);
  }

  /** Ports that are dead are skipped while another one is live. */
  private Effect oneOf(int[] ports, Passage passage) {
    Effect worst = null;
    for (int port : ports) {
      if (!network.ports().isDead(new SwitchPort(passage.in.switchId(), port))) {
        Effect effect = output(port, passage);
        worst = worst == null ? effect : worst.or(effect);
      }
    }
    return worst == null ? dropped(passage, "all ports of its group are down") : worst;
  }

  private static Effect dropped(Passage passage, String why) {
    return new Effect(Effect.Kind.LOST, passage.in.switchId() + " drops them: " + why);
  }

  private Effect meet(ForeignRule rule, Passage passage) {
    List<Effect> copies = new ArrayList<>();
    Passage now = apply(rule.applied(), passage, copies);
    List<ForeignAction> written =
        new ArrayList<>(rule.clearsWritten() ? List.of() : passage.written);
    written.addAll(rule.written());
    if (rule.gotoTable() != ForeignRule.NO_TABLE) {
      copies.add(lookUp(rule.gotoTable(), now.with(written)));
    } else {
      apply(ActionSet.inOrder(written), now, copies);
    }
    Effect effect = Effect.ofCopies(copies, dropped(passage, "actions=" + rule.actions()));
    boolean isUnsure =
        effect.kind() != Effect.Kind.LOOPED
            && (rule.applied().stream().anyMatch(PacketEffects::isUnknown)
                || written.stream().anyMatch(PacketEffects::isUnknown));
    return isUnsure
        ? new Effect(Effect.Kind.UNKNOWN, passage.in.switchId() + ": actions=" + rule.actions())
        : effect;
  }

  private static boolean isUnknown(ForeignAction action) {
    return action.kind() == ForeignAction.Kind.UNKNOWN;
  }

  private Passage apply(List<ForeignAction> actions, Passage passage, List<Effect> copies) {
    Passage now = passage;
    for (ForeignAction action : actions) {
      switch (action.kind()) {
        case OUTPUT:
          copies.add(output(action.number(), now));
          break;
        case GROUP:
          copies.add(group(action.number(), now.with(List.of())));
          break;
        case SET_FIELD:
          now = now.after(action);
          break;
        case RESUBMIT:
          copies.add(lookUp(action.number(), now.with(List.of())));
          break;
        default:
          break;
      }
    }
    return now;
  }

  private Effect group(int id, Passage passage) {
    SwitchRules rules = network.rules(passage.in.switchId());
    SelectGroup own = rules.own.group(id);
    if (own != null) {
      return oneOf(own.memberPorts(), passage);
    }
    ForeignGroup group = rules.foreign.groups().get(id);
    if (group == null) {
      return dropped(passage, "there is no group " + Integer.toUnsignedString(id));
    }
    if (group.type() == ForeignGroup.Type.UNKNOWN || passage.depth > MAX_DEPTH) {
      return new Effect(
          Effect.Kind.UNKNOWN,
          passage.in.switchId() + ": group " + Integer.toUnsignedString(id) + " is not known");
    }
    return buckets(group, passage);
  }

  private Effect buckets(ForeignGroup group, Passage passage) {
    List<Effect> each = new ArrayList<>();
    for (ForeignGroup.Bucket bucket : group.buckets()) {
      boolean isDead =
          bucket.watchPort() != ForeignGroup.Bucket.NO_WATCH
              && network.ports().isDead(new SwitchPort(passage.in.switchId(), bucket.watchPort()));
      if (!isDead) {
        List<Effect> copies = new ArrayList<>();
        apply(bucket.actions(), passage, copies);
        Effect effect = Effect.ofCopies(copies, dropped(passage, "a bucket of its group drops"));
        boolean isUnsure = bucket.actions().stream().anyMatch(PacketEffects::isUnknown);
        each.add(
            isUnsure && effect.kind() != Effect.Kind.LOOPED
                ? new Effect(Effect.Kind.UNKNOWN, passage.in.switchId() + ": group's actions")
                : effect);
        if (group.type() == ForeignGroup.Type.FAST_FAILOVER) {
          break;
        }
      }
    }
    Effect none = dropped(passage, "no bucket of its group is live");
    return group.type() == ForeignGroup.Type.SELECT
        ? each.stream().reduce(Effect::or).orElse(none)
        : Effect.ofCopies(each, none);
  }

  private Effect output(int port, Passage passage) {
    switch (port) {
      case ForeignAction.PORT_CONTROLLER:
        return controllerIsRight
            ? Effect.HARMLESS
            : new Effect(
                Effect.Kind.MISDIRECTED, passage.in.switchId() + " sends them to the controller");
      case ForeignAction.PORT_LOCAL:
        return new Effect(
            Effect.Kind.MISDIRECTED, passage.in.switchId() + " sends them to its own host");
      case ForeignAction.PORT_IN_PORT:
        return leave(passage.in, passage);
      case ForeignAction.PORT_ALL:
      case ForeignAction.PORT_FLOOD:
      case ForeignAction.PORT_NORMAL:
        return flood(passage);
      default:
        return port == passage.in.number()
            ? dropped(
                passage, "port " + Integer.toUnsignedString(port) + " is also their ingress port")
            : leave(new SwitchPort(passage.in.switchId(), port), passage);
    }
  }

  /** A bridge that does not know a destination floods too. */
  private Effect flood(Passage passage) {
    List<Effect> copies = new ArrayList<>();
    for (int port : network.ports().ports(passage.in.switchId())) {
      if (port != passage.in.number()) {
        copies.add(leave(new SwitchPort(passage.in.switchId(), port), passage));
      }
    }
    return Effect.ofCopies(copies, dropped(passage, "there is no port to flood"));
  }

  private Effect leave(SwitchPort out, Passage passage) {
    if (out.number() <= 0 || network.ports().isDead(out)) {
      return dropped(passage, "port " + out + " is down");
    }
    SwitchPort peer = network.ports().peer(out);
    if (peer != null) {
      return arrive(peer, HeaderField.leaving(passage.headers), passage.readdressed);
    }
    return isDelivered(out, passage)
        ? Effect.HARMLESS
        : new Effect(Effect.Kind.MISDIRECTED, "they leave by " + out);
  }

  /** Whether a port is that of the host, and the packets are addressed to it as the engine does. */
  private boolean isDelivered(SwitchPort out, Passage passage) {
    HeaderClass headers = HeaderField.leaving(passage.headers);
    HeaderClass routed = headers.set(HeaderField.ETH_DST, Gateway.MAC);
    TableEntry first =
        network.rules(out.switchId()).ownIn(0, routed).stream()
            .filter(entry -> entry.own.match() == FlowRule.Match.IPV4_DESTINATION)
            .findFirst()
            .orElse(null);
    return !passage.readdressed
        && first != null
        && first.own.action() == FlowRule.Action.DELIVER
        && first.own.outPort() == out.number()
        && first.match.contains(routed)
        && HeaderClass.ALL.with(HeaderField.ETH_DST, first.own.destinationMac()).contains(headers);
  }
}
