package org.evenweave.app.southbound;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;

/** Tables read from a switch, and which of its groups would keep sending to a port that is down. */
public final class ReadResult {
  private final SwitchTables tables;
  private final Set<Integer> unwatched;

  /**
   * @param unwatched ids of groups of which a bucket does not watch its port
   */
  ReadResult(SwitchTables tables, Set<Integer> unwatched) {
    this.tables = tables;
    this.unwatched = Set.copyOf(unwatched);
  }

  public SwitchTables tables() {
    return tables;
  }

  Set<Integer> unwatched() {
    return unwatched;
  }

  /** The groups of which a bucket does not watch its port. */
  List<SelectGroup> unwatchedGroups() {
    return unwatched.stream().map(tables.groups()::get).collect(Collectors.toList());
  }
}
