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
   * Refuses to take a connected switch from one name to another: it would be missing under both
   * until it has been read again. One that gets its first name or loses it may, for no traffic is
   * routed through it under its datapath id.
   *
   * @param connected whether a switch of this name is connected
   * @throws FabricException naming the datapath id that is not to be renamed
   */
  public void requireNamesKept(Predicate<String> connected) {
    Set<Long> datapaths = new TreeSet<>(before.switchIdOfDatapath().keySet());
    datapaths.addAll(after.switchIdOfDatapath().keySet());
    for (long datapath : datapaths) {
      String name = before.switchIdOf(datapath);
      String newName = after.switchIdOf(datapath);
      if (!name.equals(newName)
          && !EngineConfig.isUnnamed(name)
          && !EngineConfig.isUnnamed(newName)
          && connected.test(name)) {
        throw new FabricException(
            "switches",
            "the switch with dpid "
                + String.format(Locale.ROOT, "%016x", datapath)
                + " is connected as \""
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
