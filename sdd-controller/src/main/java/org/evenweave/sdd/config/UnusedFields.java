package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;

/** Refuses fields that have no effect with the others, because their author expects an effect. */
final class UnusedFields {
  private UnusedFields() {}

  /**
   * Looks at all but {@code sharing}.
   *
   * @param root valid by the schema
   * @throws SddConfigException naming the first
   */
  static void refuse(JsonNode root) throws SddConfigException {
    String scheduler = root.path("scheduler").asText("solstice");
    boolean isFastPass = scheduler.equals("fastpass");
    refuse(root, "order", !isFastPass, "is for scheduler fastpass, not " + scheduler);
    refuse(
        root,
        "slotNs",
        !isFastPass && !scheduler.equals("tdma"),
        "is for scheduler tdma or fastpass, not " + scheduler);
    refuse(
        root,
        "shortestSlotNs",
        scheduler.equals("tdma"),
        "is not for scheduler tdma, which has all slots equal");
    String clock = root.path("clock").asText("monotonic");
    refuse(root, "taiOffsetSeconds", !clock.equals("tai"), "is for clock tai, not " + clock);
    String safePolicy = root.path("safePolicy").asText("open");
    refuse(
        root,
        "safeRateBps",
        !safePolicy.equals("rate"),
        "is for safePolicy rate, not " + safePolicy);
    String order = isFastPass ? root.path("order").asText() : "";
    refuseInCircuitClasses(root, "coflow", "smallestCoflow", order);
    refuseInCircuitClasses(root, "weight", SddConfig.WEIGHTED_SHARES, order);
    refuseOneRack(root);
    if (root.has("edge") && root.get("edge").path("hosts").isEmpty()) {
      throw new SddConfigException("edge.hosts", "are required: without them no edge can connect");
    }
  }

  private static void refuse(JsonNode row, String field, boolean isUnused, String why)
      throws SddConfigException {
    if (isUnused && row.has(field)) {
      throw new SddConfigException(field, why);
    }
  }

  /** Of classes, what only one order looks at; priorities count at hosts, whatever the order. */
  private static void refuseInCircuitClasses(
      JsonNode root, String field, String orderOfField, String order) throws SddConfigException {
    int place = 0;
    for (JsonNode each : root.path("circuitClasses")) {
      // To say false is to say nothing.
      if (each.path(field).asBoolean() && !order.equals(orderOfField)) {
        throw new SddConfigException(
            "circuitClasses[" + place + "]." + field,
            "is for scheduler fastpass with order " + orderOfField);
      }
      place++;
    }
  }

  private static void refuseOneRack(JsonNode root) throws SddConfigException {
    int hosts = root.get("hosts").size();
    if (root.path("racks").path("hostsPerRack").asInt() >= hosts) {
      throw new SddConfigException(
          "racks.hostsPerRack",
          "must be less than the number of hosts, " + hosts + ", or no circuit has a path");
    }
  }

  /**
   * What method {@code rcp}, which finds one rate for all classes with flows, has no use for.
   *
   * @param sharing valid by the schema
   * @param path of {@code sharing}; ends with a dot unless it is empty
   * @throws SddConfigException naming the first
   */
  static void refuseInSharing(JsonNode sharing, String path) throws SddConfigException {
    if (!sharing.path("method").asText().equals("rcp")) {
      return;
    }
    refuseInClasses(sharing, sharing, path);
    for (int place = 0; place < sharing.path("overrides").size(); place++) {
      refuseInClasses(
          sharing.get("overrides").get(place), sharing, path + "overrides[" + place + "].");
    }
  }

  private static void refuseInClasses(JsonNode rows, JsonNode sharing, String path)
      throws SddConfigException {
    int place = 0;
    for (JsonNode row : rows.path("classes")) {
      for (String field : new String[] {"weight", "guaranteedBps", "ceilingBps"}) {
        boolean countsForFlows = !field.equals("weight");
        if (row.has(field) && !(countsForFlows && hasFlows(row.get("name"), sharing))) {
          throw new SddConfigException(
              path + "classes[" + place + "]." + field,
              countsForFlows
                  ? "of a class with others in it is for method tree, not rcp"
                  : "is for method tree, not rcp");
        }
      }
      place++;
    }
  }

  /** Also of a class that is not there, of which there is something better to say. */
  private static boolean hasFlows(JsonNode name, JsonNode sharing) {
    for (JsonNode each : sharing.path("classes")) {
      if (each.get("name").equals(name)) {
        return each.has("flows");
      }
    }
    return true;
  }
}
