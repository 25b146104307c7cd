package org.evenweave.app.requirements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.app.Logged;
import org.evenweave.app.cluster.FakeStorage;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cfg.ConfigProperty;

class FlowSettingsTest {
  private static final String RULES = "FlowRuleManager.allowExtraneousRules";
  private static final String GROUPS = "DistributedGroupStore.allowExtraneousGroups";

  private final FakeStorage storage = new FakeStorage();
  private final Components components = new Components();

  /** ONOS's component properties: only what is set. */
  private static final class Components extends ComponentConfigAdapter {
    final Map<String, String> set = new TreeMap<>();
    boolean known = true;

    private static String key(String component, String name) {
      return component.substring(component.lastIndexOf('.') + 1) + "." + name;
    }

    @Override
    public ConfigProperty getProperty(String component, String name) {
      if (!known) {
        return null;
      }
      ConfigProperty property =
          ConfigProperty.defineProperty(name, ConfigProperty.Type.BOOLEAN, "false", "");
      String value = set.get(key(component, name));
      return value == null ? property : ConfigProperty.setProperty(property, value);
    }

    @Override
    public void preSetProperty(String component, String name, String value, boolean override) {
      assertEquals(false, override, "what the operator has set must stay");
      set.putIfAbsent(key(component, name), value);
    }

    @Override
    public void setProperty(String component, String name, String value) {
      set.put(key(component, name), value);
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
  void presetsDoNotOutliveTheApplicationsTables() {
    settings().preset();
    assertEquals(Map.of(RULES, "true", GROUPS, "true"), components.set);
    settings().restore();
    assertEquals(Map.of(), components.set);
  }

  @Test
  void settingsAreShownWithWhatOnosHasByDefault() {
    FlowSettings settings = settings();
    settings.preset();
    assertEquals(2, settings.inForce().size());
    assertEquals("allowExtraneousRules", settings.inForce().get(0).name());
    assertEquals("true", settings.inForce().get(0).value());
    assertEquals("false", settings.inForce().get(0).original());
    components.known = false;
    assertEquals(List.of(), settings.inForce());
  }

  @Test
  void whatTheOperatorHadSetBeforeStays() {
    components.set.put(RULES, "true");
    settings().preset();
    settings().restore();
    assertEquals(Map.of(RULES, "true"), components.set);
  }

  @Test
  void anotherValueIsReplacedWithOneWarningAndReportedForAWhile() {
    FlowSettings settings = settings();
    settings.preset();
    assertEquals(List.of(), settings.insist());
    components.set.put(RULES, "false");
    String reason = "ONOS's allowExtraneousRules was not true: ONOS may remove tables";
    List<String> warnings =
        Logged.alarms(
            () -> {
              for (int check = 0; check < FlowSettings.CHECKS_REPORTED; check++) {
                assertEquals(List.of(reason), settings.insist());
              }
            });
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("allowExtraneousRules"), warnings::toString);
    assertEquals(Map.of(RULES, "true", GROUPS, "true"), components.set);
    assertEquals(List.of(), settings.insist());
  }

  @Test
  void aPresetThatSomeoneUnsetsIsSetAgainAndStillTheApplications() {
    settings().preset();
    components.set.remove(GROUPS);
    assertEquals(1, settings().insist().size());
    assertEquals("true", components.set.get(GROUPS));
    settings().restore();
    assertEquals(Map.of(), components.set);
  }

  @Test
  void anOperatorsValueFromBeforeTheApplicationIsReplacedToo() {
    components.set.put(GROUPS, "false");
    settings().preset();
    assertEquals("false", components.set.get(GROUPS));
    assertEquals(1, settings().insist().size());
    assertEquals("true", components.set.get(GROUPS));
  }

  @Test
  void aPropertyOfAComponentThatIsNotThereYetIsNotMissed() {
    components.known = false;
    settings().preset();
    assertEquals(List.of(), settings().insist());
  }

  @Test
  void presetsOfAnEarlierRunAreStillTheApplications() {
    settings().preset();
    settings().preset();
    settings().restore();
    assertEquals(Map.of(), components.set);
  }

  @Test
  void withoutTheStoreNothingIsTakenBack() {
    settings().preset();
    storage.answers = false;
    settings().restore();
    assertEquals(2, components.set.size());
  }
}
