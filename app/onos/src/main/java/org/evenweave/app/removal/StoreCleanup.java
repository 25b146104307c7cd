package org.evenweave.app.removal;

import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.GroupService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the application's groups and rules from ONOS's stores, where earlier releases put them.
 * The switches keep theirs: a rule in a store is one that ONOS puts back, as it was then, whenever
 * the switch holds another.
 */
public final class StoreCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCleanup.class);

  private final ApplicationId application;
  private final DeviceService devices;
  private final MastershipService masterships;
  private final FlowRuleService flows;
  private final GroupService groups;

  public StoreCleanup(
      ApplicationId application,
      DeviceService devices,
      MastershipService masterships,
      FlowRuleService flows,
      GroupService groups) {
    this.application = application;
    this.devices = devices;
    this.masterships = masterships;
    this.flows = flows;
    this.groups = groups;
  }

  /** Cleans the stores, as to the switches that this instance is master of. */
  public void clean() {
    for (Device device : devices.getDevices()) {
      if (masterships.isLocalMaster(device.id())) {
        clean(device.id());
      }
    }
  }

  private void clean(DeviceId device) {
    int rules = 0;
    for (FlowEntry entry : flows.getFlowEntries(device)) {
      rules += entry.appId() == application.id() ? 1 : 0;
    }
    if (rules > 0) {
      flows.purgeFlowRules(device, application);
      LOG.info("{}: took {} rules out of ONOS's store; the switch keeps them", device, rules);
    }
    if (groups.getGroups(device, application).iterator().hasNext()) {
      groups.purgeGroupEntries(device, application);
      LOG.info("{}: took the groups out of ONOS's store; the switch keeps them", device);
    }
  }
}
