package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.TrafficMatrix;

/**
 * Reads an input's traffic matrices, {@code [{"from":"s1-0","to":"s1-2","bps":5000000000},...]}.
 * All have the same endpoints: the switches with subnets and those that any of them names.
 */
final class MatrixReader {
  private final Fabric fabric;
  private final JsonNode input;
  private final int[] endpoints;

  /**
   * @param fields where the input may have matrices
   */
  MatrixReader(Fabric fabric, JsonNode input, String... fields) {
    this.fabric = fabric;
    this.input = input;
    TreeSet<Integer> named = InputFields.switchesWithSubnets(fabric);
    for (String field : fields) {
      for (int i = 0; i < input.path(field).size(); i++) {
        named.add(end(field, i, "from"));
        named.add(end(field, i, "to"));
      }
    }
    endpoints = named.stream().mapToInt(Integer::intValue).toArray();
  }

  private int end(String field, int i, String end) {
    String path = field + "[" + i + "]." + end;
    return InputFields.switchNumber(fabric, path, input.get(field).get(i).get(end));
  }

  /** The matrix in one of the fields. */
  TrafficMatrix matrix(String field) {
    double[][] bps = new double[endpoints.length][endpoints.length];
    int[][] givenBy = new int[endpoints.length][endpoints.length];
    for (int i = 0; i < input.get(field).size(); i++) {
      String path = field + "[" + i + "]";
      int from = Arrays.binarySearch(endpoints, end(field, i, "from"));
      int to = Arrays.binarySearch(endpoints, end(field, i, "to"));
      if (from == to) {
        throw new BadInputException(path + ".to", "must be another switch than from");
      }
      if (givenBy[from][to] > 0) {
        throw new BadInputException(
            path, field + "[" + (givenBy[from][to] - 1) + "] is of the same switches; add them up");
      }
      givenBy[from][to] = i + 1;
      bps[from][to] = input.get(field).get(i).get("bps").doubleValue();
    }
    return TrafficMatrix.of(endpoints, bps);
  }
}
