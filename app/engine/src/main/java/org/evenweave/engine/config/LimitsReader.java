package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Limits;

/**
 * Reads and writes {@code "limits": {"entries": 4096, "groupEntries": 256, "groups": 1024, "rules":
 * 8192, "maxWeight": 127, "maxTotalWeight": 1024}} of a switch, each field optional; {@code
 * "table": 4096} is a synonym for {@code entries}.
 */
public final class LimitsReader {
  private static final String TABLE = "table";
  private static final String LIMITS = "limits";
  private static final String ENTRIES = Limits.Kind.ENTRIES.fieldName();

  private LimitsReader() {}

  /**
   * @param path of the switch
   * @param node of the switch, valid by its schema
   * @throws FabricException if both names of the entries are given
   */
  static Limits read(String path, JsonNode node) {
    JsonNode limits = node.path(LIMITS);
    if (node.has(TABLE) && limits.has(ENTRIES)) {
      throw new FabricException(
          path + "." + LIMITS + "." + ENTRIES,
          "is given as " + path + "." + TABLE + " too, which is another name for it; remove one");
    }
    Limits read = Limits.ofEntries(node.path(TABLE).asInt(Fabric.UNLIMITED));
    for (Limits.Kind kind : Limits.Kind.values()) {
      if (limits.has(kind.fieldName())) {
        read = read.with(kind, limits.get(kind.fieldName()).asInt());
      }
    }
    return read;
  }

  /** Puts the limits of a switch as its configuration has them; none where there are none. */
  static void put(ObjectNode node, Limits limits) {
    if (limits.equals(Limits.ofEntries(limits.entries()))) {
      put(node, TABLE, limits.entries());
    } else {
      putAll(node, limits);
    }
  }

  /** Puts {@code limits} with the fields that are limited; nothing where there are none. */
  public static void putAll(ObjectNode node, Limits limits) {
    if (!limits.equals(Limits.NONE)) {
      ObjectNode fields = node.putObject(LIMITS);
      for (Limits.Kind kind : Limits.Kind.values()) {
        put(fields, kind.fieldName(), limits.of(kind));
      }
    }
  }

  private static void put(ObjectNode node, String name, int limit) {
    if (limit != Fabric.UNLIMITED) {
      node.put(name, limit);
    }
  }
}
