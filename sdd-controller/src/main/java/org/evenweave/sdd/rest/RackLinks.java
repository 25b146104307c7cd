package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.fastpass.PathLoads;

/**
 * The load of the links between the racks and the core by other traffic, as reported by the fabric.
 * A link that is not reported is down or does not exist; paths over it come last.
 */
final class RackLinks implements PathLoads {
  private static final double PERCENT = 100;

  /** More than any traffic uses. */
  private static final double NOT_THERE = Double.MAX_VALUE;

  private final List<String> racks;
  private final List<String> cores;
  private final Map<String, Map<String, Double>> used;

  private RackLinks(List<String> racks, List<String> cores, Map<String, Map<String, Double>> used) {
    this.racks = racks;
    this.cores = cores;
    this.used = used;
  }

  /**
   * Null if the switches are not named, or the fabric tells nothing.
   *
   * @param used the used part of the links from one switch to another
   */
  static RackLinks of(SddConfig config, Map<String, Map<String, Double>> used) {
    return config.rackSwitches().isEmpty() || used.isEmpty()
        ? null
        : new RackLinks(config.rackSwitches(), config.coreSwitches(), used);
  }

  private double used(String from, String to) {
    return used.getOrDefault(from, Map.of()).getOrDefault(to, NOT_THERE);
  }

  @Override
  public double of(int fromRack, int toRack, int path) {
    return Math.max(
        used(racks.get(fromRack), cores.get(path)), used(cores.get(path), racks.get(toRack)));
  }

  /** A row for each of the links that are there, in each direction. */
  void describe(ArrayNode rows) {
    for (String rack : racks) {
      for (String core : cores) {
        describe(rack, core, rows);
        describe(core, rack, rows);
      }
    }
  }

  private void describe(String from, String to, ArrayNode rows) {
    double part = used(from, to);
    if (part < NOT_THERE) {
      rows.addObject()
          .put("from", from)
          .put("to", to)
          .put("usedPercent", Math.round(PERCENT * PERCENT * part) / PERCENT);
    }
  }
}
