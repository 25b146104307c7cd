package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * Changes a configuration by JSON: replaces it as a whole, or applies a JSON Merge Patch (RFC
 * 7386).
 *
 * <p>Neither empties a fabric by omission: where the present configuration has switches, links or
 * subnets and the new one has none, the new one must hold {@code "allowEmpty": true}. A document
 * with a single field, meant as a change of that field, would otherwise remove every rule.
 */
public final class ConfigUpdate {
  private ConfigUpdate() {}

  /**
   * The configuration that a whole new one asks for.
   *
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  public static EngineConfig replacement(EngineConfig present, String text) {
    JsonNode root = CheckedJson.parse("configuration", "configuration", text);
    EngineConfig config = ConfigReader.ofValid(root);
    requireNotEmptied(present, root);
    return config;
  }

  /**
   * The configuration that another version of an operator's file asks for, as {@link #replacement}.
   *
   * @throws FabricException naming the file or the field that is wrong
   */
  public static EngineConfig reloaded(EngineConfig present, Path file) {
    return replacement(present, TextFile.read(file));
  }

  /**
   * The present configuration with some of its fields changed. A field that is {@code null} gets
   * its default, and an array replaces the whole array.
   *
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  public static EngineConfig patched(EngineConfig present, String text) {
    // A null removes, so an unknown name with one would not be in what is checked afterwards.
    JsonNode patch = CheckedJson.parse("configuration-patch", "patch", text);
    JsonNode root = merged(ConfigWriter.write(present), patch);
    EngineConfig config = ConfigReader.of(root);
    requireNotEmptied(present, root);
    return config;
  }

  /** RFC 7386, section 2. */
  private static JsonNode merged(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode result =
        target != null && target.isObject()
            ? (ObjectNode) target
            : ((ObjectNode) patch).objectNode();
    for (Iterator<Map.Entry<String, JsonNode>> fields = patch.fields(); fields.hasNext(); ) {
      Map.Entry<String, JsonNode> field = fields.next();
      if (field.getValue().isNull()) {
        result.remove(field.getKey());
      } else {
        result.set(field.getKey(), merged(result.get(field.getKey()), field.getValue()));
      }
    }
    return result;
  }

  private static void requireNotEmptied(EngineConfig present, JsonNode root) {
    if (!root.path(ConfigReader.ALLOW_EMPTY).asBoolean()) {
      Fabric fabric = present.intended();
      requireNotEmptied(root, "switches", fabric.switchCount());
      requireNotEmptied(root, "links", fabric.linkCount());
      requireNotEmptied(root, "subnets", fabric.subnetCount());
    }
  }

  private static void requireNotEmptied(JsonNode root, String field, int presentCount) {
    JsonNode node = root.get(field);
    boolean empty = node == null || (node.isArray() && node.size() == 0);
    if (empty && presentCount > 0) {
      throw new FabricException(
          field,
          "the new configuration has none and the present one has "
              + presentCount
              + "; to change single fields use PATCH, to remove all of them add \""
              + ConfigReader.ALLOW_EMPTY
              + "\": true");
    }
  }
}
