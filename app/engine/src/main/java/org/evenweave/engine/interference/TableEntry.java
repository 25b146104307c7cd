package org.evenweave.engine.interference;

import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;

/**
 * A flow entry of a switch: a rule of the engine's, one for a large table's slots, or another's.
 */
final class TableEntry {
  final int rank;
  final HeaderClass match;

  /** Null unless it is a rule of the engine's. */
  final FlowRule own;

  /** Null unless it stands for the rules of this large table's slots. */
  final SelectGroup slots;

  /** Null unless it is somebody else's. */
  final ForeignRule foreign;

  private TableEntry(
      int rank, HeaderClass match, FlowRule own, SelectGroup slots, ForeignRule foreign) {
    this.rank = rank;
    this.match = match;
    this.own = own;
    this.slots = slots;
    this.foreign = foreign;
  }

  static TableEntry of(FlowRule rule) {
    return new TableEntry(rule.priority(), RuleHeaders.match(rule), rule, null, null);
  }

  static TableEntry of(ForeignRule rule) {
    return new TableEntry(rule.rank(), rule.match(), null, null, rule);
  }

  static TableEntry ofSlots(SelectGroup group, int rank, HeaderClass match) {
    return new TableEntry(rank, match, null, group, null);
  }

  /** Whether packets that match leave the fabric as they should, whatever their headers are. */
  boolean isEnd() {
    return own != null && !own.isRoute();
  }
}
