package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;

class FlowSettingsTest {
  @Test
  void presetsLeaveAloneWhatTheOperatorHasSet() {
    Map<String, String> set = new TreeMap<>();
    set.put("ECFlowRuleStore.backupPeriod", "1000");
    FlowSettings.preset(
        new ComponentConfigAdapter() {
          @Override
          public void preSetProperty(
              String component, String name, String value, boolean override) {
            String key = component.substring(component.lastIndexOf('.') + 1) + "." + name;
            if (override) {
              set.put(key, value);
            } else {
              set.putIfAbsent(key, value);
            }
          }
        });
    assertEquals(
        Map.of(
            "ECFlowRuleStore.backupPeriod", "1000",
            "FlowRuleManager.allowExtraneousRules", "true"),
        set);
  }
}
