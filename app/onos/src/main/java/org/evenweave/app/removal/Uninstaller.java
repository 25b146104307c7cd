package org.evenweave.app.removal;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.Device;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupService;

/** Removes the application's rules and groups through ONOS's services when it is uninstalled. */
public final class Uninstaller {
  private final ApplicationId application;
  private final DeviceService devices;
  private final GroupService groups;
  private final FlowRuleService flows;

  public Uninstaller(
      ApplicationId application,
      DeviceService devices,
      GroupService groups,
      FlowRuleService flows) {
    this.application = application;
    this.devices = devices;
    this.groups = groups;
    this.flows = flows;
  }

  /** Removes the application's rules, then its groups; those of other applications stay. */
  public void remove() {
    flows.removeFlowRulesById(application);
    for (Device device : devices.getDevices()) {
      for (Group group : groups.getGroups(device.id(), application)) {
        groups.removeGroup(device.id(), group.appCookie(), application);
      }
    }
  }
}
