package org.evenweave.app.requirements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.evenweave.app.cluster.FakeStorage;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cfg.ConfigProperty;

class FlowSettingsTest {
  private static final String EXTRANEOUS = "FlowRuleManager.allowExtraneousRules";
  private static final String BACKUP = "ECFlowRuleStore.backupPeriod";
  private static final String GROUPS = "DistributedGroupStore.allowExtraneousGroups";

  private final FakeStorage storage = new FakeStorage();
  private final Components components = new Components();

  /** ONOS's component properties: only what is set. */
  private static final class Components extends ComponentConfigAdapter {
    final Map<String, String> set = new TreeMap<>();

    private static String key(String component, String name) {
      return component.substring(component.lastIndexOf('.') + 1) + "." + name;
    }

    @Override
    public ConfigProperty getProperty(String component, String name) {
      ConfigProperty property =
          ConfigProperty.defineProperty(name, ConfigProperty.Type.STRING, "default", "");
      String value = set.get(key(component, name));
      return value == null ? property : ConfigProperty.setProperty(property, value);
    }

    @Override
    public void preSetProperty(String component, String name, String value, boolean override) {
      assertEquals(false, override, "what the operator has set must stay");
      set.putIfAbsent(key(component, name), value);
    }

    @Override
    public void unsetProperty(String component, String name) {
      set.remove(key(component, name));
    }
  }

  /** As an instance does it when the application becomes active on it. */
  private FlowSettings settings() {
    return new FlowSettings(components, storage);
  }

  @Test
  void presetsLeaveAloneWhatTheOperatorHasSet() {
    components.set.put(BACKUP, "1000");
    settings().preset();
    assertEquals(Map.of(BACKUP, "1000", EXTRANEOUS, "true", GROUPS, "true"), components.set);
  }

  @Test
  void presetsDoNotOutliveTheApplicationAndTheOperatorsSettingsDo() {
    components.set.put(BACKUP, "200");
    settings().preset();
    settings().restore(true);
    assertEquals(Map.of(BACKUP, "200"), components.set);
  }

  @Test
  void groupsThatStayInTheSwitchesStayProtectedUntilTheyAreRemoved() {
    settings().preset();
    settings().restore(false);
    assertEquals(Map.of(GROUPS, "true"), components.set);
    settings().preset();
    settings().restore(true);
    assertEquals(Map.of(), components.set);
  }

  @Test
  void aPresetThatTheOperatorChangedIsTheOperators() {
    settings().preset();
    components.set.put(BACKUP, "500");
    settings().restore(true);
    assertEquals(Map.of(BACKUP, "500"), components.set);
    settings().preset();
    settings().restore(true);
    assertEquals(Map.of(BACKUP, "500"), components.set);
  }

  @Test
  void presetsOfAnEarlierRunAreStillTheApplications() {
    settings().preset();
    settings().preset();
    settings().restore(true);
    assertEquals(Map.of(), components.set);
  }

  @Test
  void withoutTheStoreNothingIsTakenBack() {
    settings().preset();
    storage.answers = false;
    settings().restore(true);
    assertEquals(3, components.set.size());
  }
}
