package org.evenweave.app.removal;

import java.util.concurrent.Executor;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleEvent;
import org.onosproject.net.flow.FlowRuleListener;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.GroupService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the application's groups and rules from ONOS's stores, where earlier releases put them.
 * The switches keep theirs: a rule in a store is one that ONOS puts back, as it was then, whenever
 * the switch holds another. For that it deletes the other first, and packets are lost; so a rule
 * that comes into a store has to go from there before the engine replaces it in the switch.
 */
public final class StoreCleanup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCleanup.class);

  private final ApplicationId application;
  private final DeviceService devices;
  private final MastershipService masterships;
  private final FlowRuleService flows;
  private final GroupService groups;
  private final Executor executor;
  private final FlowRuleListener listener = new NewRules();

  /**
   * @param executor to clean a store on when a rule has come into it
   */
  public StoreCleanup(
      ApplicationId application,
      DeviceService devices,
      MastershipService masterships,
      FlowRuleService flows,
      GroupService groups,
      Executor executor) {
    this.application = application;
    this.devices = devices;
    this.masterships = masterships;
    this.flows = flows;
    this.groups = groups;
    this.executor = executor;
    flows.addListener(listener);
  }

  @Override
  public void close() {
    flows.removeListener(listener);
  }

  /** Rules of the application, as they come into the store. */
  private final class NewRules implements FlowRuleListener {
    @Override
    public boolean isRelevant(FlowRuleEvent event) {
      return event.subject().appId() == application.id()
          && event.type() == FlowRuleEvent.Type.RULE_ADD_REQUESTED;
    }

    @Override
    public void event(FlowRuleEvent event) {
      executor.execute(() -> tryToClean(event.subject().deviceId()));
    }
  }

  private void tryToClean(DeviceId device) {
    try {
      cleanIfMaster(device);
    } catch (RuntimeException e) {
      LOG.debug("{}: the next check cleans ONOS's store", device, e);
    }
  }

  /** Cleans the stores, as to the switches that this instance is master of. */
  public void clean() {
    for (Device device : devices.getDevices()) {
      cleanIfMaster(device.id());
    }
  }

  private void cleanIfMaster(DeviceId device) {
    if (masterships.isLocalMaster(device)) {
      clean(device);
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
