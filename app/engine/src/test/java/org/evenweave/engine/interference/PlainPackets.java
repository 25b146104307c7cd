package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The slow, obvious model: single packets walk through the tables, one entry at a time, from every
 * host. A header is a class with a value for every field.
 */
final class PlainPackets {
  private final Fabric fabric;
  private final int hostPort;
  private final Map<String, SwitchTables> own;
  private final Map<String, ForeignTables> foreign;

  /** By foreign rule that packets met. */
  private final Map<ForeignRule, Effect.Kind> worst = new IdentityHashMap<>();

  private boolean controllerIsRight;

  PlainPackets(
      Fabric fabric,
      int hostPort,
      Map<String, SwitchTables> own,
      Map<String, ForeignTables> foreign) {
    this.fabric = fabric;
    this.hostPort = hostPort;
    this.own = own;
    this.foreign = foreign;
  }

  /** What a switch may do with a packet at one moment. */
  private static final class Packet {
    final int at;
    final int port;
    final HeaderClass header;
    final boolean readdressed;

    Packet(int at, int port, HeaderClass header, boolean readdressed) {
      this.at = at;
      this.port = port;
      this.header = header;
      this.readdressed = readdressed;
    }

    Packet with(HeaderClass newHeader, boolean isReaddressed) {
      return new Packet(at, port, newHeader, readdressed || isReaddressed);
    }

    Object place() {
      return List.of(at, port, header, readdressed);
    }
  }

  /** By rule of a first table that wins against one of the engine's, the worst it does. */
  Map<ForeignRule, Effect.Kind> harm(List<HeaderClass> sent) {
    Set<Object> seen = new HashSet<>();
    List<Packet> toDo = new ArrayList<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      for (HeaderClass header : sent) {
        Packet first = new Packet(fabric.subnetSwitch(subnet), hostPort, header, false);
        if (isAllowed(first)) {
          toDo.add(first);
        }
      }
    }
    while (!toDo.isEmpty()) {
      Packet packet = toDo.remove(toDo.size() - 1);
      if (seen.add(packet.place())) {
        judge(packet);
        for (Object entry : winners(packet, 0)) {
          toDo.addAll(next(packet, entry));
        }
      }
    }
    return worst;
  }

  /** Nobody harms traffic by taking what the switch's guard of sources drops. */
  private boolean isAllowed(Packet packet) {
    boolean isRefused = false;
    for (FlowRule rule : own.get(id(packet)).flows().values()) {
      HeaderClass first = packet.header.with(HeaderField.METADATA, 0);
      boolean matches = rule.isSourceGuard() && matches(rule, packet.with(first, false));
      if (matches && rule.match() == FlowRule.Match.ADMITTED_SOURCE) {
        return true;
      }
      isRefused |= matches;
    }
    return !isRefused;
  }

  /** A rule does not answer for the address that another one wrote before. */
  private void judge(Packet met) {
    Packet packet = new Packet(met.at, met.port, met.header, false);
    for (Object entry : winners(packet, 0)) {
      if (entry instanceof ForeignRule) {
        ForeignRule rule = (ForeignRule) entry;
        int best = -1;
        for (FlowRule ours : own.get(id(packet)).flows().values()) {
          if (ours.priority() <= rule.rank() && matches(ours, packet)) {
            best = Math.max(best, ours.priority());
          }
        }
        for (FlowRule ours : own.get(id(packet)).flows().values()) {
          boolean drops = ours.action() == FlowRule.Action.DROP;
          if (ours.priority() == best && matches(ours, packet) && !drops) {
            controllerIsRight =
                ours.prefix() == null || ours.action() == FlowRule.Action.TO_CONTROLLER;
            Set<Object> path = new HashSet<>();
            worst.merge(rule, effect(packet, rule, List.of(), path), PlainPackets::worse);
          }
        }
      }
    }
  }

  private static Effect.Kind worse(Effect.Kind a, Effect.Kind b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private String id(Packet packet) {
    return fabric.switchId(packet.at);
  }

  private static boolean matches(FlowRule rule, Packet packet) {
    return RuleHeaders.match(rule).contains(packet.header.with(HeaderField.IN_PORT, packet.port));
  }

  private static boolean matches(ForeignRule rule, Packet packet) {
    return rule.match().contains(packet.header.with(HeaderField.IN_PORT, packet.port));
  }

  /** The entries of the highest priority that match; several may have the same. */
  private List<Object> winners(Packet packet, int table) {
    int best = -1;
    List<Object> winners = new ArrayList<>();
    List<Object> all = new ArrayList<>(foreign.get(id(packet)).rules());
    if (table == 0) {
      all.addAll(own.get(id(packet)).flows().values());
    }
    for (Object entry : all) {
      boolean isForeign = entry instanceof ForeignRule;
      int rank = isForeign ? ((ForeignRule) entry).rank() : ((FlowRule) entry).priority();
      boolean matches =
          isForeign
              ? ((ForeignRule) entry).table() == table && matches((ForeignRule) entry, packet)
              : matches((FlowRule) entry, packet);
      if (matches && rank > best) {
        winners.clear();
      }
      if (matches && rank >= best) {
        winners.add(entry);
        best = rank;
      }
    }
    return winners;
  }

  /** The packets that a switch may send on to others. */
  private List<Packet> next(Packet packet, Object entry) {
    List<Packet> sent = new ArrayList<>();
    outputs(packet, entry, List.of(), sent);
    List<Packet> arriving = new ArrayList<>();
    for (Packet out : sent) {
      Packet peer = peer(out);
      if (peer != null) {
        arriving.add(peer);
      }
    }
    return arriving;
  }

  /** All copies in all alternatives; the port of each is the one it leaves by. */
  private void outputs(
      Packet packet, Object entry, List<ForeignAction> written, List<Packet> sent) {
    if (entry instanceof FlowRule) {
      FlowRule rule = (FlowRule) entry;
      if (rule.isRoute()) {
        for (int port : own.get(id(packet)).outPorts(rule)) {
          if (port != packet.port) {
            sent.add(new Packet(packet.at, port, packet.header, packet.readdressed));
          }
        }
      }
      return;
    }
    ForeignRule rule = (ForeignRule) entry;
    Packet now = outputs(packet, rule.applied(), sent);
    List<ForeignAction> atEnd = new ArrayList<>(written);
    atEnd.addAll(rule.written());
    if (rule.gotoTable() == ForeignRule.NO_TABLE) {
      outputs(now, lastOutput(atEnd), sent);
    } else {
      for (Object winner : winners(now, rule.gotoTable())) {
        outputs(now, winner, atEnd, sent);
      }
    }
  }

  private static List<ForeignAction> lastOutput(List<ForeignAction> written) {
    return written.isEmpty() ? written : written.subList(written.size() - 1, written.size());
  }

  private Packet outputs(Packet packet, List<ForeignAction> actions, List<Packet> sent) {
    Packet now = packet;
    for (ForeignAction action : actions) {
      if (action.kind() == ForeignAction.Kind.SET_FIELD) {
        now = after(now, action);
      } else if (action.kind() == ForeignAction.Kind.GROUP) {
        for (ForeignGroup.Bucket bucket : buckets(now, action.number())) {
          outputs(now, bucket.actions(), sent);
        }
      } else if (action.kind() == ForeignAction.Kind.OUTPUT) {
        for (int port : ports(now, action.number())) {
          sent.add(new Packet(now.at, port, now.header, now.readdressed));
        }
      }
    }
    return now;
  }

  private List<ForeignGroup.Bucket> buckets(Packet packet, int group) {
    SelectGroup ours = own.get(id(packet)).group(group);
    List<ForeignGroup.Bucket> buckets = new ArrayList<>();
    if (ours != null) {
      for (int port : ours.memberPorts()) {
        buckets.add(new ForeignGroup.Bucket(-1, List.of(ForeignAction.output(port))));
      }
      return buckets;
    }
    ForeignGroup theirs = foreign.get(id(packet)).groups().get(group);
    return theirs == null ? buckets : theirs.buckets();
  }

  private static Packet after(Packet packet, ForeignAction set) {
    HeaderClass header =
        packet.header.set(set.number(), set.high(), set.low(), set.maskHigh(), set.maskLow());
    boolean isAddress = set.number() == HeaderField.IPV4_DST && !header.equals(packet.header);
    return packet.with(header, isAddress);
  }

  private List<Integer> ports(Packet packet, int port) {
    List<Integer> ports = new ArrayList<>();
    switch (port) {
      case ForeignAction.PORT_IN_PORT:
        return List.of(packet.port);
      case ForeignAction.PORT_FLOOD:
      case ForeignAction.PORT_ALL:
      case ForeignAction.PORT_NORMAL:
        for (int i = 0; i < fabric.outDegree(packet.at); i++) {
          ports.add(fabric.port(fabric.outArc(packet.at, i)));
        }
        if (fabric.stage(packet.at) == 1) {
          ports.add(hostPort);
        }
        ports.remove((Integer) packet.port);
        return ports;
      case ForeignAction.PORT_CONTROLLER:
        return List.of();
      default:
        return port == packet.port ? List.of() : List.of(port);
    }
  }

  private Packet peer(Packet out) {
    for (int i = 0; i < fabric.outDegree(out.at); i++) {
      int arc = fabric.outArc(out.at, i);
      if (fabric.port(arc) == out.port) {
        return new Packet(fabric.to(arc), fabric.port(arc ^ 1), out.header, out.readdressed);
      }
    }
    return null;
  }

  private Effect.Kind arrive(Packet packet, Set<Object> path) {
    if (!path.add(packet.place())) {
      return Effect.Kind.LOOPED;
    }
    Effect.Kind kind = lookUp(packet, 0, List.of(), path);
    path.remove(packet.place());
    return kind;
  }

  private Effect.Kind lookUp(
      Packet packet, int table, List<ForeignAction> written, Set<Object> path) {
    Effect.Kind kind = null;
    for (Object entry : winners(packet, table)) {
      Effect.Kind one =
          entry instanceof FlowRule
              ? effect(packet, (FlowRule) entry, path)
              : effect(packet, (ForeignRule) entry, written, path);
      kind = kind == null ? one : worse(kind, one);
    }
    return kind == null ? Effect.Kind.LOST : kind;
  }

  private Effect.Kind effect(Packet packet, FlowRule rule, Set<Object> path) {
    if (!rule.isRoute()) {
      return packet.readdressed ? Effect.Kind.MISDIRECTED : Effect.Kind.HARMLESS;
    }
    Effect.Kind kind = Effect.Kind.HARMLESS;
    for (int port : own.get(id(packet)).outPorts(rule)) {
      kind = worse(kind, output(packet, port, path));
    }
    return kind;
  }

  private Effect.Kind effect(
      Packet packet, ForeignRule rule, List<ForeignAction> written, Set<Object> path) {
    List<Effect.Kind> copies = new ArrayList<>();
    Packet now = actions(packet, rule.applied(), copies, path);
    List<ForeignAction> atEnd = new ArrayList<>(written);
    atEnd.addAll(rule.written());
    if (rule.gotoTable() == ForeignRule.NO_TABLE) {
      actions(now, lastOutput(atEnd), copies, path);
    } else {
      copies.add(lookUp(now, rule.gotoTable(), atEnd, path));
    }
    return best(copies);
  }

  private Packet actions(
      Packet packet, List<ForeignAction> actions, List<Effect.Kind> copies, Set<Object> path) {
    Packet now = packet;
    for (ForeignAction action : actions) {
      if (action.kind() == ForeignAction.Kind.SET_FIELD) {
        now = after(now, action);
      } else if (action.kind() == ForeignAction.Kind.GROUP) {
        copies.add(group(now, action.number(), path));
      } else if (action.number() == ForeignAction.PORT_CONTROLLER) {
        copies.add(controllerIsRight ? Effect.Kind.HARMLESS : Effect.Kind.MISDIRECTED);
      } else {
        List<Effect.Kind> each = new ArrayList<>();
        for (int port : ports(now, action.number())) {
          each.add(leave(now, port, path));
        }
        copies.add(best(each));
      }
    }
    return now;
  }

  private Effect.Kind group(Packet packet, int id, Set<Object> path) {
    ForeignGroup theirs = foreign.get(id(packet)).groups().get(id);
    boolean isOneOf = theirs == null || theirs.type() == ForeignGroup.Type.SELECT;
    List<Effect.Kind> each = new ArrayList<>();
    for (ForeignGroup.Bucket bucket : buckets(packet, id)) {
      List<Effect.Kind> copies = new ArrayList<>();
      actions(packet, bucket.actions(), copies, path);
      each.add(best(copies));
    }
    return isOneOf
        ? each.stream().reduce(PlainPackets::worse).orElse(Effect.Kind.LOST)
        : best(each);
  }

  private static Effect.Kind best(List<Effect.Kind> copies) {
    return copies.contains(Effect.Kind.LOOPED)
        ? Effect.Kind.LOOPED
        : copies.stream().reduce((a, b) -> a.compareTo(b) < 0 ? a : b).orElse(Effect.Kind.LOST);
  }

  private Effect.Kind output(Packet packet, int port, Set<Object> path) {
    return port == packet.port ? Effect.Kind.LOST : leave(packet, port, path);
  }

  private Effect.Kind leave(Packet packet, int port, Set<Object> path) {
    Packet out = new Packet(packet.at, port, packet.header, packet.readdressed);
    Packet peer = peer(out);
    if (peer != null) {
      return arrive(peer, path);
    }
    // As the packet was addressed to the gateway; a foreign action may have written the host's MAC.
    HeaderClass header = packet.header.set(HeaderField.ETH_DST, Gateway.MAC);
    Packet routed = packet.with(header, false);
    FlowRule best = null;
    for (FlowRule rule : own.get(id(packet)).flows().values()) {
      if (matches(rule, routed) && (best == null || rule.priority() > best.priority())) {
        best = rule;
      }
    }
    boolean isDelivered =
        best != null
            && best.action() == FlowRule.Action.DELIVER
            && best.outPort() == port
            && packet.header.value(HeaderField.ETH_DST) == best.destinationMac()
            && !packet.readdressed;
    return isDelivered ? Effect.Kind.HARMLESS : Effect.Kind.MISDIRECTED;
  }

  /** Nothing foreign anywhere, to be filled. */
  static Map<String, ForeignTables> nothing(Fabric fabric) {
    Map<String, ForeignTables> none = new HashMap<>();
    fabric.switchIds().forEach(id -> none.put(id, ForeignTables.NONE));
    return none;
  }
}
