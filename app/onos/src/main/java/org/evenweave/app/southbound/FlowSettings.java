package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.app.cluster.OwnSettings;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.store.service.StorageService;

/**
 * Settings of ONOS without which it takes rules out of switches when an instance is lost.
 *
 * <p>ONOS removes from a switch what its store of rules does not know, and puts back what only the
 * store knows. The store is in memory: after a restart of a lone instance it knows nothing, so
 * rules unknown to it are to be left alone (the engine audits its own). In a cluster a new master
 * has a copy, by default up to 2 s old.
 *
 * <p>Of groups ONOS removes from a switch what its store does not know, too, and compares with the
 * store what it read from the switch seconds ago: a group that was deleted meanwhile, and is out of
 * the store, it deletes once more, whatever has that id by then.
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

  /** Presets them; what an operator has set stays. */
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
   * Gives ONOS its defaults back where a preset is still in force.
   *
   * @param switchesAreEmptied whether the application's groups are gone: else ONOS must go on
   *     leaving those alone that its store does not know
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
