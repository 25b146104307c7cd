package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.Map;
import java.util.StringJoiner;
import org.evenweave.wcmp.fabric.FabricException;

/** What is different between two configurations. */
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
   * A switch is known by the name it had when it connected, so no datapath id may change its name.
   *
   * @throws FabricException naming the datapath id that would
   */
  public void requireNamesKept() {
    requireNamesOf(before);
    requireNamesOf(after);
  }

  private void requireNamesOf(EngineConfig one) {
    for (long datapath : one.switchIdOfDatapath().keySet()) {
      String name = before.switchIdOf(datapath);
      if (!name.equals(after.switchIdOf(datapath))) {
        throw new FabricException(
            "switches",
            "the switch with dpid "
                + String.format("%016x", datapath)
                + " is called \""
                + name
                + "\" since the start, and would become \""
                + after.switchIdOf(datapath)
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
