package org.evenweave.app.southbound;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.ForeignEntries;
import org.evenweave.wcmp.fabric.Limits;

/**
 * The tables of a device: Evenweave's groups and rules, and all others in OpenFlow 1.3's encoding,
 * in which instances also exchange them.
 */
final class DeviceTables {
  private final SwitchTables own;
  private final List<byte[]> foreignRules;
  private final List<byte[]> foreignGroups;
  private final Map<Integer, Long> refusedSources;
  private final Limits limits;

  /**
   * @param refusedSources as in {@link SwitchReading}
   * @param limits as the device reports them
   */
  DeviceTables(
      SwitchTables own,
      List<byte[]> foreignRules,
      List<byte[]> foreignGroups,
      Map<Integer, Long> refusedSources,
      Limits limits) {
    this.own = own;
    this.foreignRules = foreignRules;
    this.foreignGroups = foreignGroups;
    this.refusedSources = refusedSources;
    this.limits = limits;
  }

  SwitchTables own() {
    return own;
  }

  List<byte[]> foreignRules() {
    return foreignRules;
  }

  List<byte[]> foreignGroups() {
    return foreignGroups;
  }

  Map<Integer, Long> refusedSources() {
    return refusedSources;
  }

  Limits limits() {
    return limits;
  }

  /** As the engine takes it. */
  SwitchReading reading() {
    List<ForeignRule> rules = new ArrayList<>();
    int examined = Math.min(foreignRules.size(), ForeignTables.MAX_RULES);
    for (byte[] entry : foreignRules.subList(0, examined)) {
      rules.add(ForeignEntries.rule(ByteBuffer.wrap(entry), OwnEntries.ABOVE_ONOS));
    }
    List<ForeignGroup> groups = new ArrayList<>();
    foreignGroups.forEach(entry -> groups.add(ForeignEntries.group(ByteBuffer.wrap(entry))));
    return new SwitchReading(
        own, new ForeignTables(rules, groups, foreignRules.size() - examined), refusedSources);
  }
}
