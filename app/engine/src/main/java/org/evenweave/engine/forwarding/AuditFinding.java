package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;

/** The result of comparing one switch's tables with those installed. Immutable. */
public final class AuditFinding {
  /** The outcome. */
  public enum Kind {
    AS_INSTALLED,
    /** The tables are not as installed; after an audit what was read counts as installed. */
    DRIFTED,
    /** The switch was changed meanwhile, or what is installed is not known: nothing follows. */
    OVERTAKEN,
    /** The switch did not say what it holds. */
    UNREAD
  }

  /** How many entries of one kind a sentence names. */
  private static final int NAMED = 3;

  private final Kind kind;
  private final SwitchTables believed;
  private final SwitchTables tables;
  private final String problem;

  AuditFinding(Kind kind, SwitchTables believed, SwitchTables tables, String problem) {
    this.kind = kind;
    this.believed = believed;
    this.tables = tables;
    this.problem = problem;
  }

  public Kind kind() {
    return kind;
  }

  /** What counted as installed before; null if nothing did. */
  public SwitchTables believed() {
    return believed;
  }

  /** What the switch holds; null if it is {@link Kind#UNREAD}. */
  public SwitchTables tables() {
    return tables;
  }

  /**
   * How the tables of a {@link Kind#DRIFTED} switch differ: <i>missing: ...; changed: ...; unknown:
   * ...</i>, with the first entries of each by name.
   */
  public String difference() {
    Map<String, Object> before = entries(believed);
    Map<String, Object> now = entries(tables);
    List<String> missing = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    before.forEach(
        (key, entry) -> {
          if (!now.containsKey(key)) {
            missing.add(key);
          } else if (!now.get(key).equals(entry)) {
            changed.add(key);
          }
        });
    List<String> unknown = new ArrayList<>(now.keySet());
    unknown.removeAll(before.keySet());
    List<String> parts = new ArrayList<>();
    add(parts, "missing", missing);
    add(parts, "changed", changed);
    add(parts, "unknown", unknown);
    return String.join("; ", parts);
  }

  private static Map<String, Object> entries(SwitchTables tables) {
    Map<String, Object> entries = new HashMap<>();
    tables.forEachFlow(rule -> entries.put("rule " + rule.key(), rule));
    tables.forEachGroup(group -> entries.put("group " + SelectGroup.idText(group.id()), group));
    return entries;
  }

  private static void add(List<String> parts, String what, List<String> keys) {
    if (!keys.isEmpty()) {
      keys.sort(null);
      String more = keys.size() > NAMED ? " and " + (keys.size() - NAMED) + " more" : "";
      parts.add(
          what + ": " + String.join(", ", keys.subList(0, Math.min(NAMED, keys.size()))) + more);
    }
  }

  /** Why the switch could not be read; empty if it could. */
  public String problem() {
    return problem;
  }
}
