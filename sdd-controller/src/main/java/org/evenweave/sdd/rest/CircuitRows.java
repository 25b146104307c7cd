package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.IntUnaryOperator;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.fastpass.PathLoads;
import org.evenweave.sdd.fastpass.PathSelection;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;

/** A day's circuits for people to read, with their paths where hosts are in racks. */
public final class CircuitRows {
  private final Directory directory;

  /** Null: there are no racks. */
  private final PathSelection selection;

  /** Null: it is not known what other traffic uses. */
  private final PathLoads loads;

  private final int[] destinationOf;
  private final int[] pathOf;

  /** Those of hosts that a configuration names. */
  public CircuitRows(SddConfig config) {
    this(config, null);
  }

  /**
   * The same around other traffic.
   *
   * @param loads what it uses of links; null if that is not known
   */
  CircuitRows(SddConfig config, PathLoads loads) {
    this.loads = loads;
    this.directory = config.directory();
    this.selection = config.pathSelection();
    this.destinationOf = new int[directory.count()];
    this.pathOf = new int[directory.count()];
  }

  /**
   * Adds {@code "circuits":[{"from":"h0","to":"h4","path":1},...]}; {@code path} only of circuits
   * between racks.
   *
   * @param destinations each source's destination or {@link Schedule#IDLE}; no destination twice
   */
  public void add(IntUnaryOperator destinations, ObjectNode day) {
    for (int source = 0; source < destinationOf.length; source++) {
      destinationOf[source] = destinations.applyAsInt(source);
      pathOf[source] = PathSelection.NO_PATH;
    }
    if (selection != null) {
      selection.select(destinationOf, pathOf, loads);
    }
    ArrayNode circuits = day.putArray("circuits");
    for (int source = 0; source < destinationOf.length; source++) {
      if (destinationOf[source] == Schedule.IDLE) {
        continue;
      }
      ObjectNode row =
          circuits
              .addObject()
              .put("from", directory.nameOf(source))
              .put("to", directory.nameOf(destinationOf[source]));
      if (pathOf[source] != PathSelection.NO_PATH) {
        row.put("path", pathOf[source]);
      }
    }
  }
}
