package org.evenweave.app.requirements;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.app.cluster.OwnSettings;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.store.service.StorageService;

/**
 * Settings of ONOS without which it removes rules from switches when an instance fails.
 *
 * <p>ONOS removes rules that its flow store lacks, and adds rules that only the store has. The
 * store is in memory: after the restart of a single instance it is empty, so extraneous rules must
 * stay (the engine audits its own). In a cluster a new master has a copy, by default up to 2 s old.
 *
 * <p>ONOS also removes groups that its group store lacks, and compares the store with replies that
 * are seconds old: a group that was deleted meanwhile is extraneous, and ONOS deletes that id once
 * more, whichever group has it by then.
 */
public final class FlowSettings {
  private static final List<Preset> PRESETS =
      List.of(
          new Preset(
              "org.onosproject.net.flow.impl.FlowRuleManager", "allowExtraneousRules", "true"),
          new Preset("org.onosproject.store.flow.impl.ECFlowRuleStore", "backupPeriod", "200"));

  private static final Preset GROUPS_STAY =
      new Preset(
          "org.onosproject.store.group.impl.DistributedGroupStore",
          "allowExtraneousGroups",
          "true");

  private final ComponentConfigService components;
  private final OwnSettings own;

  private static final class Preset {
    final String component;
    final String name;
    final String value;

    Preset(String component, String name, String value) {
      this.component = component;
      this.name = name;
      this.value = value;
    }

    String key() {
      return component + " " + name;
    }
  }

  public FlowSettings(ComponentConfigService components, StorageService storage) {
    this.components = components;
    this.own = new OwnSettings(storage, "evenweave-presets");
  }

  /** Presets them, except those that an operator has set. */
  public void preset() {
    for (Preset preset : all()) {
      ConfigProperty present = components.getProperty(preset.component, preset.name);
      if (present == null || !present.isSet()) {
        components.preSetProperty(preset.component, preset.name, preset.value, false);
        own.made(preset.key(), preset.value);
      }
    }
  }

  /**
   * Restores ONOS's defaults where a preset is still in force.
   *
   * @param switchesAreEmptied whether the application's groups are gone: otherwise ONOS must keep
   *     extraneous groups
   */
  public void restore(boolean switchesAreEmptied) {
    Map<String, String> made = own.all();
    for (Preset preset : switchesAreEmptied ? all() : PRESETS) {
      String value = made.get(preset.key());
      if (value != null) {
        ConfigProperty present = components.getProperty(preset.component, preset.name);
        if (present != null && present.isSet() && value.equals(present.value())) {
          components.unsetProperty(preset.component, preset.name);
        }
        own.left(preset.key());
      }
    }
  }

  private static List<Preset> all() {
    List<Preset> all = new ArrayList<>(PRESETS);
    all.add(GROUPS_STAY);
    return all;
  }
}
