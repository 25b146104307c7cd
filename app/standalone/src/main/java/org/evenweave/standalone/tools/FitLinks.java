package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fitting.Links;

/** Reads the links of {@code fit}'s objective {@code utilisation}: ports from 1, capacities. */
final class FitLinks {
  private FitLinks() {}

  static Links of(JsonNode input) {
    JsonNode groups = input.get("groups");
    JsonNode ports = input.get("ports");
    if (ports != null && ports.size() != groups.size()) {
      throw new BadInputException(
          "ports", "must have one array per group, " + groups.size() + ", not " + ports.size());
    }
    List<int[]> linkOf = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      int weights = groups.get(g).size();
      linkOf.add(
          ports == null
              ? IntStream.range(0, weights).toArray()
              : links("ports[" + g + "]", ports.get(g), weights));
    }
    if (!input.has("capacities")) {
      return Links.ofIdealLoad(linkOf);
    }
    double[] capacities = new double[input.get("capacities").size()];
    Arrays.setAll(capacities, l -> input.get("capacities").get(l).doubleValue());
    int most = linkOf.stream().flatMapToInt(Arrays::stream).max().orElse(-1) + 1;
    if (most > capacities.length) {
      throw new BadInputException(
          "capacities", "must have one number per port, " + most + ", not " + capacities.length);
    }
    return Links.of(linkOf, capacities);
  }

  private static int[] links(String path, JsonNode ports, int weights) {
    if (ports.size() != weights) {
      throw new BadInputException(
          path, "must have one port per weight, " + weights + ", not " + ports.size());
    }
    int[] links = new int[weights];
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < weights; i++) {
      int port = ports.get(i).intValue();
      if (!seen.add(port)) {
        throw new BadInputException(path + "[" + i + "]", "is a second port " + port);
      }
      links[i] = port - 1;
    }
    return links;
  }
}
