package org.evenweave.app.southbound;

import org.onosproject.cfg.ComponentConfigService;

/** Settings of ONOS without which it takes rules out of switches when an instance is lost. */
public final class FlowSettings {
  private static final String MANAGER = "org.onosproject.net.flow.impl.FlowRuleManager";
  private static final String STORE = "org.onosproject.store.flow.impl.ECFlowRuleStore";

  private FlowSettings() {}

  /**
   * Presets them; what an operator has set stays.
   *
   * <p>ONOS removes from a switch what its store of rules does not know, and puts back what only
   * the store knows. The store is in memory: after a restart of a lone instance it knows nothing,
   * so rules unknown to it are to be left alone (the engine audits its own). In a cluster a new
   * master has a copy, by default up to 2 s old.
   */
  public static void preset(ComponentConfigService components) {
    components.preSetProperty(MANAGER, "allowExtraneousRules", "true", false);
    components.preSetProperty(STORE, "backupPeriod", "200", false);
  }
}
