package org.evenweave.engine.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.evenweave.engine.headers.HeaderClass;

/**
 * A flow entry of a switch that is not Evenweave's: by its cookie, or because no rule of Evenweave
 * has its match, priority and actions. Immutable; counters and time-outs are left out.
 */
public final class ForeignRule {
  /** In place of a table where an entry leads to none. */
  public static final int NO_TABLE = -1;

  private final int table;
  private final int priority;
  private final int rank;
  private final long cookie;
  private final HeaderClass match;
  private final byte[] wireMatch;
  private final List<ForeignAction> applied;
  private final List<ForeignAction> written;
  private final boolean clearsWritten;
  private final int gotoTable;

  /** Makes one; what is not set is empty, and the match is that of every packet. */
  public static final class Builder {
    private int table;
    private int priority;
    private int rank;
    private long cookie;
    private HeaderClass match = HeaderClass.ALL;
    private byte[] wireMatch = {};
    private final List<ForeignAction> applied = new ArrayList<>();
    private final List<ForeignAction> written = new ArrayList<>();
    private boolean clearsWritten;
    private int gotoTable = NO_TABLE;

    public Builder table(int id) {
      table = id;
      return this;
    }

    /**
     * @param inSwitch the entry's priority
     * @param amongOurs the same on the scale of the engine's rules
     */
    public Builder priority(int inSwitch, int amongOurs) {
      priority = inSwitch;
      rank = amongOurs;
      return this;
    }

    public Builder cookie(long value) {
      cookie = value;
      return this;
    }

    /**
     * @param wire the match as the switch has it, by which a request can name the entry
     */
    public Builder match(HeaderClass headers, byte[] wire) {
      match = headers;
      wireMatch = wire.clone();
      return this;
    }

    /** An action that is carried out at once, after those before it. */
    public Builder apply(ForeignAction action) {
      applied.add(action);
      return this;
    }

    /** An action that is carried out at the end of the pipeline. */
    public Builder write(ForeignAction action) {
      written.add(action);
      return this;
    }

    public Builder clearWritten() {
      clearsWritten = true;
      return this;
    }

    public Builder gotoTable(int id) {
      gotoTable = id;
      return this;
    }

    public ForeignRule build() {
      return new ForeignRule(this);
    }
  }

  private ForeignRule(Builder builder) {
    table = builder.table;
    priority = builder.priority;
    rank = builder.rank;
    cookie = builder.cookie;
    match = builder.match;
    wireMatch = builder.wireMatch;
    applied = List.copyOf(builder.applied);
    written = List.copyOf(builder.written);
    clearsWritten = builder.clearsWritten;
    gotoTable = builder.gotoTable;
  }

  public int table() {
    return table;
  }

  /** The entry's priority in the switch. */
  public int priority() {
    return priority;
  }

  /** The priority on the scale of {@link org.evenweave.engine.port.FlowRule#priority}. */
  public int rank() {
    return rank;
  }

  public long cookie() {
    return cookie;
  }

  public HeaderClass match() {
    return match;
  }

  /** The match as the switch has it, without padding. */
  public byte[] wireMatch() {
    return wireMatch.clone();
  }

  /** Actions that are carried out at once, in order. */
  public List<ForeignAction> applied() {
    return applied;
  }

  /** Actions that are carried out when no further table is looked up. */
  public List<ForeignAction> written() {
    return written;
  }

  /** Whether actions that entries before it have written are forgotten. */
  public boolean clearsWritten() {
    return clearsWritten;
  }

  /** The table that the packet is looked up in next, or {@link #NO_TABLE}. */
  public int gotoTable() {
    return gotoTable;
  }

  /** Whether the entry makes the switch a bridge that learns MAC addresses. */
  public boolean bridges() {
    return applied.contains(ForeignAction.output(ForeignAction.PORT_NORMAL))
        || written.contains(ForeignAction.output(ForeignAction.PORT_NORMAL));
  }

  /** What the entry does, as ovs-ofctl writes it: {@code drop}, {@code output:1}. */
  public String actions() {
    List<String> parts = new ArrayList<>();
    if (!applied.isEmpty()) {
      parts.add(text(applied));
    }
    if (clearsWritten) {
      parts.add("clear_actions");
    }
    if (!written.isEmpty()) {
      parts.add("write_actions(" + text(written) + ")");
    }
    if (gotoTable != NO_TABLE) {
      parts.add("goto_table:" + gotoTable);
    }
    return parts.isEmpty() ? "drop" : String.join(",", parts);
  }

  static String text(List<ForeignAction> actions) {
    return actions.isEmpty()
        ? "drop"
        : actions.stream().map(ForeignAction::toString).collect(Collectors.joining(","));
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ForeignRule)) {
      return false;
    }
    ForeignRule that = (ForeignRule) other;
    return table == that.table
        && priority == that.priority
        && cookie == that.cookie
        && gotoTable == that.gotoTable
        && clearsWritten == that.clearsWritten
        && match.equals(that.match)
        && applied.equals(that.applied)
        && written.equals(that.written);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, priority, cookie, gotoTable, match, applied, written);
  }

  /** As in {@code priority=65000,ip,nw_dst=10.0.2.0/24 actions=drop}. */
  @Override
  public String toString() {
    return (table == 0 ? "" : "table=" + table + ",")
        + "priority="
        + priority
        + (match.equals(HeaderClass.ALL) ? "" : "," + match)
        + " actions="
        + actions();
  }
}
