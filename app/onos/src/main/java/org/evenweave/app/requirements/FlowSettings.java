package org.evenweave.app.requirements;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.evenweave.app.cluster.OwnSettings;
import org.evenweave.engine.status.RuntimeReport;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of ONOS without which it removes the application's rules and groups from switches: those
 * are in none of ONOS's stores, and by default ONOS removes what its stores lack, at its next poll.
 * So they stay in force for as long as the switches have any.
 */
public final class FlowSettings {
  private static final Logger LOG = LoggerFactory.getLogger(FlowSettings.class);

  private static final String NEEDED = "true";

  /** ONOS acts on a poll with the old value for seconds. */
  static final int CHECKS_REPORTED = 10;

  private static final List<Preset> PRESETS =
      List.of(
          new Preset("org.onosproject.net.flow.impl.FlowRuleManager", "allowExtraneousRules"),
          new Preset(
              "org.onosproject.store.group.impl.DistributedGroupStore", "allowExtraneousGroups"));

  private final ComponentConfigService components;
  private final OwnSettings own;

  /** Presets that were not in force lately, and for how many calls they are still reported. */
  private final Map<Preset, Integer> checksLeft = new HashMap<>();

  private static final class Preset {
    final String component;
    final String name;

    Preset(String component, String name) {
      this.component = component;
      this.name = name;
    }

    String key() {
      return component + " " + name;
    }
  }

  public FlowSettings(ComponentConfigService components, StorageService storage) {
    this.components = components;
    this.own = new OwnSettings(storage, "evenweave-presets");
  }

  /** Presets them, except those that an operator has set already; see {@link #insist}. */
  public void preset() {
    for (Preset preset : PRESETS) {
      ConfigProperty present = components.getProperty(preset.component, preset.name);
      if (present == null || !present.isSet()) {
        components.preSetProperty(preset.component, preset.name, NEEDED, false);
        own.made(preset.key(), NEEDED);
      }
    }
  }

  /**
   * Sets those again that someone has set to another value, or has unset, and logs a warning.
   *
   * @return a sentence for each that was not in force at one of the last {@link #CHECKS_REPORTED}
   *     calls, the present one among them
   */
  public synchronized List<String> insist() {
    checksLeft.replaceAll((preset, left) -> left - 1);
    checksLeft.values().removeIf(left -> left == 0);
    for (Preset preset : PRESETS) {
      if (!isInForce(preset)) {
        LOG.warn(
            "{} was set to another value than {}: with it ONOS removes the application's rules or"
                + " groups from the switches; it is set again. To end this, purge the application",
            preset.key(),
            NEEDED);
        components.setProperty(preset.component, preset.name, NEEDED);
        own.made(preset.key(), NEEDED);
        checksLeft.put(preset, CHECKS_REPORTED);
      }
    }
    return checksLeft.keySet().stream()
        .map(preset -> "ONOS's " + preset.name + " was not " + NEEDED + ": ONOS may remove tables")
        .sorted()
        .collect(Collectors.toList());
  }

  /** A property that ONOS does not know yet gets its preset value when it does. */
  private boolean isInForce(Preset preset) {
    ConfigProperty present = components.getProperty(preset.component, preset.name);
    return present == null || NEEDED.equals(present.value());
  }

  /** The settings that are in force now, with what ONOS has by default. */
  public List<RuntimeReport.Setting> inForce() {
    return PRESETS.stream()
        .map(preset -> setting(preset, components.getProperty(preset.component, preset.name)))
        .flatMap(Optional::stream)
        .collect(Collectors.toList());
  }

  private static Optional<RuntimeReport.Setting> setting(Preset preset, ConfigProperty present) {
    return Optional.ofNullable(present)
        .map(
            property ->
                new RuntimeReport.Setting(
                    preset.component, preset.name, property.value(), property.defaultValue()));
  }

  /**
   * Restores ONOS's defaults where a preset is still in force. Only to be called once the
   * application's groups and rules are gone from the switches.
   */
  public void restore() {
    Map<String, String> made = own.all();
    for (Preset preset : PRESETS) {
      if (made.containsKey(preset.key())) {
        ConfigProperty present = components.getProperty(preset.component, preset.name);
        if (present != null && present.isSet() && NEEDED.equals(present.value())) {
          components.unsetProperty(preset.component, preset.name);
        }
        own.left(preset.key());
      }
    }
  }
}
