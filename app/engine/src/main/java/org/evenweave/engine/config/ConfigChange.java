package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.evenweave.wcmp.fabric.FabricException;

/** The differences between two configurations. */
public final class ConfigChange {
  private final EngineConfig before;
  private final EngineConfig after;
  private final ObjectNode fieldsBefore;
  private final ObjectNode fieldsAfter;

  public ConfigChange(EngineConfig before, EngineConfig after) {
    this.before = before;
    this.after = after;
    fieldsBefore = ConfigWriter.write(before);
    fieldsAfter = ConfigWriter.write(after);
  }

  /** Whether nothing is. */
  public boolean isEmpty() {
    return fieldsBefore.equals(fieldsAfter);
  }

  /**
   * Refuses to take a switch that carries traffic from one name to another. Under the new name
   * nothing is known of it until it connects and is read, so routes to it and through it would be
   * withdrawn while it forwards as before. A start of the engine keeps them, since it computes no
   * routes before it has read the switches that installed rules use.
   *
   * <p>A switch whose old or new name is not in the fabric may change it: it gets its traffic, or
   * loses it, by this very change.
   *
   * @param inUse whether packets may pass the switch of this name, or it is connected
   * @throws FabricException naming the datapath id that is not to be renamed
   */
  public void requireNamesKept(Predicate<String> inUse) {
    Set<Long> datapaths = new TreeSet<>(before.switchIdOfDatapath().keySet());
    datapaths.addAll(after.switchIdOfDatapath().keySet());
    for (long datapath : datapaths) {
      String name = before.switchIdOf(datapath);
      String newName = after.switchIdOf(datapath);
      if (!name.equals(newName)
          && before.intended().indexOf(name) >= 0
          && after.intended().indexOf(newName) >= 0
          && inUse.test(name)) {
        throw new FabricException(
            "switches",
            "the switch with dpid "
                + String.format(Locale.ROOT, "%016x", datapath)
                + " is in use as \""
                + name
                + "\", and would become \""
                + newName
                + "\"; restart to rename it");
      }
    }
  }

  /** The fields that are different; of short ones their new value too. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ");
    Iterator<Map.Entry<String, JsonNode>> fields = fieldsAfter.fields();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      if (!field.getValue().equals(fieldsBefore.get(field.getKey()))) {
        text.add(
            field.getValue().isArray() ? field.getKey() : field.getKey() + " " + field.getValue());
      }
    }
    return text.toString();
  }
}
