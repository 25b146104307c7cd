package org.evenweave.bench.fitting;

import java.util.Arrays;
import org.evenweave.bench.common.RandomGroup;

/** Deals groups out to tables. */
final class FilledTables {
  private FilledTables() {}

  /** As many tables as the groups fill. */
  static RandomGroup[][] of(RandomGroup[] groups, int groupsPerTable) {
    RandomGroup[][] tables = new RandomGroup[groups.length / groupsPerTable][];
    Arrays.setAll(
        tables, t -> Arrays.copyOfRange(groups, t * groupsPerTable, (t + 1) * groupsPerTable));
    return tables;
  }
}
