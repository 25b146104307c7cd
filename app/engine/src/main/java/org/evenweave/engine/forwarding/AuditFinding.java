package org.evenweave.engine.forwarding;

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

  /** Why the switch could not be read; empty if it could. */
  public String problem() {
    return problem;
  }
}
