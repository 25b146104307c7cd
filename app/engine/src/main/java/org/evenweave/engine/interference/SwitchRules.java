package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The flow entries of one switch, the engine's and others', and which of them the packets of a
 * class meet. The engine's rules are found by their destination, so a look-up costs what overlaps
 * the class.
 */
final class SwitchRules {
  /** Where rules for the slots of large tables are, and their priority ({@code LargeTable}). */
  static final int SLOTS_TABLE = 20;

  private static final int SLOTS_RANK = 1;

  /** In a key: no prefix is longer. */
  private static final int LAST_LENGTH = 63;

  private static final int SLOT_BITS = 16;

  /**
   * So many of the engine's rules are taken out of the class that another one matches. A prefix
   * with more hosts has addresses left.
   */
  private static final int MAX_SUBTRACTED = 256;

  private static final Comparator<TableEntry> BY_RANK =
      Comparator.comparingInt((TableEntry entry) -> entry.rank).reversed();

  final SwitchTables own;
  final ForeignTables foreign;
  private final List<Integer> immaterial;

  /** By table, by falling rank. */
  private final Map<Integer, List<TableEntry>> foreignIn = new TreeMap<>();

  /** By address and length of the destination prefix, those that do not route it. */
  private final TreeMap<Long, List<TableEntry>> byDestination = new TreeMap<>();

  /** A bit for each length of those prefixes. */
  private long lengths;

  /** Those that match packets of one port, by its number. */
  private final Map<Integer, List<TableEntry>> ofPort = new TreeMap<>();

  private final List<TableEntry> otherOwn = new ArrayList<>();
  private final List<TableEntry> slots = new ArrayList<>();

  /** By port, what guards let pass, and what they drop otherwise. */
  private final Map<Integer, List<FlowRule>> admitted = new TreeMap<>();

  private final Map<Integer, List<FlowRule>> refused = new TreeMap<>();

  /**
   * @param immaterial fields that decide nowhere in the network where packets go: no rule of others
   *     examines them, and no route of the engine's. Those of its rules that do examine them take
   *     some senders' packets out, never all, so what other packets meet is the same without them.
   */
  SwitchRules(SwitchTables own, ForeignTables foreign, List<Integer> immaterial) {
    this.own = own;
    this.foreign = foreign;
    this.immaterial = immaterial;
    own.forEachBesideRoutes(this::add);
    own.forEachGroup(this::add);
    for (ForeignRule rule : foreign.rules()) {
      foreignIn.computeIfAbsent(rule.table(), table -> new ArrayList<>()).add(TableEntry.of(rule));
    }
  }

  private void add(FlowRule rule) {
    if (rule.isSourceGuard()) {
      guard(rule);
      return;
    }
    TableEntry entry = TableEntry.of(rule);
    if (isOfOnePort(entry.match)) {
      ofPort.computeIfAbsent(port(entry.match), port -> new ArrayList<>()).add(entry);
    } else if (rule.prefix() == null) {
      otherOwn.add(entry);
    } else {
      byDestination.computeIfAbsent(key(rule.prefix()), key -> new ArrayList<>(1)).add(entry);
      lengths |= 1L << rule.prefix().length();
    }
  }

  private void guard(FlowRule rule) {
    boolean admits = rule.match() == FlowRule.Match.ADMITTED_SOURCE;
    (admits ? admitted : refused)
        .computeIfAbsent(rule.outPort(), port -> new ArrayList<>())
        .add(rule);
  }

  /**
   * The parts of a class whose sources may send at a port with hosts, of any senders where the
   * class does not tell them apart and that is immaterial. Guards of sources are no entries here:
   * packets that pass are looked up as if there were none, and nobody harms the traffic of hosts by
   * taking the others, which the engine drops.
   *
   * @param headers as they come, without what belongs to a switch
   */
  List<HeaderClass> admitted(int port, HeaderClass headers) {
    List<FlowRule> drops = refused.getOrDefault(port, List.of());
    if (drops.isEmpty()) {
      return List.of(headers);
    }
    List<HeaderClass> passing = List.of(headers);
    for (FlowRule drop : drops) {
      passing = HeaderClass.minus(passing, guarded(drop));
    }
    Set<HeaderClass> all = new LinkedHashSet<>();
    passing.forEach(part -> all.add(ofAnySender(part, headers)));
    List<FlowRule> admissions = new ArrayList<>(admitted.getOrDefault(port, List.of()));
    admissions.addAll(admitted.getOrDefault(FlowRule.ANY_PORT, List.of()));
    for (FlowRule admits : admissions) {
      HeaderClass both = guarded(admits).and(headers);
      if (both != null) {
        all.add(ofAnySender(both, headers));
      }
    }
    return List.copyOf(all);
  }

  private static HeaderClass guarded(FlowRule guard) {
    return HeaderField.leaving(RuleHeaders.match(guard));
  }

  /** A part of a class, of any senders if the class does not tell them apart. */
  private HeaderClass ofAnySender(HeaderClass part, HeaderClass headers) {
    HeaderClass any = part;
    for (int field : immaterial) {
      any = headers.constrains(field) ? any : any.without(field);
    }
    return any;
  }

  private void add(SelectGroup group) {
    if (group.isLarge()) {
      slots.add(TableEntry.ofSlots(group, SLOTS_RANK, slotsOf(group)));
    }
  }

  /** What the group of a large table makes of the metadata. */
  static HeaderClass slotsOf(SelectGroup group) {
    return HeaderClass.ALL.with(
        HeaderField.METADATA, Integer.toUnsignedLong(group.id()) << SLOT_BITS, -1L << SLOT_BITS);
  }

  private static long key(Ipv4Prefix prefix) {
    return key(prefix.address(), prefix.length());
  }

  private static long key(int address, int length) {
    return Integer.toUnsignedLong(address) << 6 | length;
  }

  boolean hasForeignIn(int table) {
    return foreignIn.containsKey(table);
  }

  /** Others' entries of a table, by falling rank. */
  List<TableEntry> foreignIn(int table) {
    return foreignIn.getOrDefault(table, List.of());
  }

  /** The engine's entries that some packets of a class match, by falling rank. */
  List<TableEntry> ownIn(int table, HeaderClass headers) {
    List<TableEntry> found = new ArrayList<>();
    Consumer<TableEntry> add =
        entry -> {
          if (!entry.match.isDisjointFrom(headers)) {
            found.add(entry);
          }
        };
    if (table == SLOTS_TABLE) {
      slots.forEach(add);
    } else if (table == 0) {
      otherOwn.forEach(add);
      if (isOfOnePort(headers)) {
        ofPort.getOrDefault(port(headers), List.of()).forEach(add);
      } else {
        ofPort.values().forEach(entries -> entries.forEach(add));
      }
      if (mayBeIpv4(headers)) {
        Ipv4Prefix destinations = destinations(headers);
        forEachAround(destinations, add);
        forEachIn(destinations, add);
      }
    }
    found.sort(BY_RANK);
    return found;
  }

  private void forEachAround(Ipv4Prefix destinations, Consumer<TableEntry> visitor) {
    for (int length = 0; length < destinations.length(); length++) {
      if ((lengths >>> length & 1) != 0) {
        Ipv4Prefix outer = destinations.shortened(length);
        byDestination.getOrDefault(key(outer), List.of()).forEach(visitor);
      }
    }
    own.forEachRouteAround(destinations, route -> visitor.accept(TableEntry.of(route)));
  }

  private void forEachIn(Ipv4Prefix destinations, Consumer<TableEntry> visitor) {
    int last = destinations.address() | ~destinations.mask();
    byDestination
        .subMap(key(destinations), true, key(last, LAST_LENGTH), true)
        .values()
        .forEach(entries -> entries.forEach(visitor));
    own.forEachRouteIn(destinations, route -> visitor.accept(TableEntry.of(route)));
  }

  private static boolean isOfOnePort(HeaderClass headers) {
    return headers.mask(HeaderField.IN_PORT) == HeaderField.mask(HeaderField.IN_PORT);
  }

  private static int port(HeaderClass headers) {
    return (int) headers.value(HeaderField.IN_PORT);
  }

  private static boolean mayBeIpv4(HeaderClass headers) {
    long given = headers.mask(HeaderField.ETH_TYPE);
    return ((headers.value(HeaderField.ETH_TYPE) ^ HeaderField.TYPE_IPV4) & given) == 0;
  }

  /** The longest prefix that all destinations of a class are in. */
  private static Ipv4Prefix destinations(HeaderClass headers) {
    int length = Integer.numberOfLeadingZeros(~(int) headers.mask(HeaderField.IPV4_DST));
    return Ipv4Prefix.host((int) headers.value(HeaderField.IPV4_DST)).shortened(length);
  }

  /** The parts of a class that meet no entry of a higher rank than this. */
  List<HeaderClass> visible(int table, int rank, HeaderClass headers) {
    List<HeaderClass> rest = List.of(headers);
    for (TableEntry entry : foreignIn(table)) {
      if (entry.rank > rank && !rest.isEmpty()) {
        rest = HeaderClass.minus(rest, entry.match);
      }
    }
    return minusOwn(table, rank, Integer.MAX_VALUE, headers, rest);
  }

  /**
   * Whether an entry of the engine's matches some senders of a class that tells no senders apart.
   */
  private boolean takesSomeSenders(TableEntry entry, HeaderClass headers) {
    for (int field : immaterial) {
      if (entry.match.constrains(field) && !headers.constrains(field)) {
        return true;
      }
    }
    return false;
  }

  /** Takes the engine's entries out whose rank is above one and at most another. */
  List<HeaderClass> minusOwn(
      int table, int above, int most, HeaderClass headers, List<HeaderClass> parts) {
    List<HeaderClass> rest = parts;
    int subtracted = 0;
    for (TableEntry entry : ownIn(table, headers)) {
      if (entry.rank <= above || rest.isEmpty()) {
        break;
      }
      if (entry.rank <= most
          && !takesSomeSenders(entry, headers)
          && (entry.match.contains(headers) || ++subtracted <= MAX_SUBTRACTED)) {
        rest = HeaderClass.minus(rest, entry.match);
      }
    }
    return rest;
  }

  /**
   * Says which entries the packets of a class meet. Entries of one rank that overlap may both be
   * met: OpenFlow leaves open which.
   *
   * @param hit gets an entry and those that meet it
   * @param miss gets those that meet none
   */
  void visit(
      int table,
      HeaderClass headers,
      BiConsumer<TableEntry, HeaderClass> hit,
      Consumer<HeaderClass> miss) {
    List<TableEntry> ours = ownIn(table, headers);
    ours.removeIf(
        entry ->
            entry.own != null
                && entry.own.action() == FlowRule.Action.DROP
                && takesSomeSenders(entry, headers));
    List<TableEntry> theirs = relevantForeign(table, headers, ours);
    if (theirs.isEmpty()) {
      visitOwn(ours, headers, hit, miss);
      return;
    }
    int lowest = theirs.get(theirs.size() - 1).rank;
    List<TableEntry> mixed = new ArrayList<>(theirs);
    List<TableEntry> below = new ArrayList<>();
    ours.forEach(entry -> (entry.rank >= lowest ? mixed : below).add(entry));
    mixed.sort(BY_RANK);
    for (HeaderClass rest : visitInOrder(mixed, headers, hit)) {
      List<TableEntry> left = new ArrayList<>(below);
      left.removeIf(entry -> entry.match.isDisjointFrom(rest));
      visitOwn(left, rest, hit, miss);
    }
  }

  /** Others' entries that some packets of a class may meet, by falling rank. */
  private List<TableEntry> relevantForeign(int table, HeaderClass headers, List<TableEntry> ours) {
    List<TableEntry> relevant = new ArrayList<>();
    for (TableEntry entry : foreignIn(table)) {
      HeaderClass both = entry.match.and(headers);
      if (both != null
          && ours.stream().noneMatch(o -> o.rank > entry.rank && o.match.contains(both))) {
        relevant.add(entry);
      }
    }
    return relevant;
  }

  /**
   * Where nobody else's entries matter. Packets that are delivered whichever entry they meet are
   * not told apart.
   */
  private static void visitOwn(
      List<TableEntry> ours,
      HeaderClass headers,
      BiConsumer<TableEntry, HeaderClass> hit,
      Consumer<HeaderClass> miss) {
    int covering = 0;
    while (covering < ours.size() && !ours.get(covering).match.contains(headers)) {
      covering++;
    }
    boolean allEnd = ours.stream().limit(covering + 1L).allMatch(TableEntry::isEnd);
    if (covering < ours.size() && (covering == 0 || allEnd)) {
      hit.accept(ours.get(covering), headers);
      return;
    }
    visitInOrder(ours, headers, hit).forEach(miss);
  }

  /** Returns those that meet none of the entries. */
  private static List<HeaderClass> visitInOrder(
      List<TableEntry> entries, HeaderClass headers, BiConsumer<TableEntry, HeaderClass> hit) {
    List<HeaderClass> rest = List.of(headers);
    for (int i = 0; i < entries.size() && !rest.isEmpty(); ) {
      List<HeaderClass> left = rest;
      int rank = entries.get(i).rank;
      for (; i < entries.size() && entries.get(i).rank == rank; i++) {
        TableEntry entry = entries.get(i);
        for (HeaderClass part : rest) {
          HeaderClass both = part.and(entry.match);
          if (both != null) {
            hit.accept(entry, both);
          }
        }
        left = HeaderClass.minus(left, entry.match);
      }
      rest = left;
    }
    return rest;
  }
}
