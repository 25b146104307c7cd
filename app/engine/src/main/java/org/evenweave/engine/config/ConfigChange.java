package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
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
    requireNamesKept((name, newName) -> true);
  }

  /**
   * The same where a switch can be made to connect again. That suits one that gets its first name
   * or loses it, for no traffic is routed through it under its datapath id. One that goes from name
   * to name would be missing under both until it is back.
   *
   * @param connected whether a switch of this name is connected
   * @throws FabricException naming the datapath id that is not to be renamed
   */
  public void requireConnectedNamesKept(Predicate<String> connected) {
    requireNamesKept(
        (name, newName) ->
            !EngineConfig.isUnnamed(name)
                && !EngineConfig.isUnnamed(newName)
                && connected.test(name));
  }

  private void requireNamesKept(BiPredicate<String, String> refused) {
    Set<Long> datapaths = new TreeSet<>(before.switchIdOfDatapath().keySet());
    datapaths.addAll(after.switchIdOfDatapath().keySet());
    for (long datapath : datapaths) {
      String name = before.switchIdOf(datapath);
      String newName = after.switchIdOf(datapath);
      if (!name.equals(newName) && refused.test(name, newName)) {
        throw new FabricException(
            "switches",
            "the switch with dpid "
                + String.format("%016x", datapath)
                + " is called \""
                + name
                + "\" since the start, and would become \""
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
