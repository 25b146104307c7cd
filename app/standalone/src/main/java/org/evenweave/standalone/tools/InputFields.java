package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.TreeSet;
import org.evenweave.engine.config.FabricReader;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.PairRule;
import org.evenweave.wcmp.weights.WeightRule;

/** Reads fields that are valid by their schema. */
final class InputFields {
  private InputFields() {}

  static long[] longs(JsonNode array) {
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).longValue();
    }
    return values;
  }

  static int[] ints(JsonNode array) {
    int[] values = new int[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).intValue();
    }
    return values;
  }

  /** The exact value of a number. */
  static Ratio ratio(String path, JsonNode number) {
    try {
      return Ratio.of(number.decimalValue());
    } catch (IllegalArgumentException e) {
      throw new BadInputException(path, e.getMessage());
    }
  }

  /** The rule that a field names; the automatic choice if there is none. */
  static WeightRule weightRule(JsonNode input, String field) {
    return WeightRule.named(input.path(field).asText(WeightRule.DEFAULT.strategyName()));
  }

  /** Which paths of a pair maximum flow uses. */
  static PairRule pairRule(JsonNode input) {
    return input.path("longerPaths").asBoolean() ? PairRule.ALL_PATHS : PairRule.SHORTEST_PATHS;
  }

  /** The numbers of the switches that have subnets. */
  static TreeSet<Integer> switchesWithSubnets(Fabric fabric) {
    TreeSet<Integer> switches = new TreeSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      switches.add(fabric.subnetSwitch(subnet));
    }
    return switches;
  }

  /**
   * A fabric, checked for what a schema cannot express, such as links to switches that are not
   * there.
   */
  static Fabric fabric(String path, JsonNode fabric) {
    try {
      return FabricReader.fabricOf(fabric);
    } catch (FabricException e) {
      throw new BadInputException(path + e.getMessage());
    }
  }

  static Ipv4Prefix prefix(String path, String text) {
    try {
      return Ipv4Prefix.parse(text);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(path, e.getMessage());
    }
  }

  /** The number of a switch in a fabric. */
  static int switchNumber(Fabric fabric, String path, JsonNode id) {
    int s = fabric.indexOf(id.textValue());
    if (s < 0) {
      throw new BadInputException(
          path, "no switch " + id + " in fabric.switches; name one of them");
    }
    return s;
  }
}
