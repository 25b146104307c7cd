package org.evenweave.app.removal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleEvent;
import org.onosproject.net.flow.FlowRuleListener;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.group.DefaultGroup;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupBuckets;
import org.onosproject.net.group.GroupDescription;
import org.onosproject.net.group.GroupServiceAdapter;

class StoreCleanupTest {
  private static final ApplicationId OURS = new DefaultApplicationId(7, "org.evenweave.app");
  private static final ApplicationId OTHER = new DefaultApplicationId(8, "other");
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private final List<FlowEntry> flows = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private final List<FlowRuleListener> listeners = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private boolean isMaster = true;

  private final StoreCleanup cleanup =
      new StoreCleanup(
          OURS,
          new DeviceServiceAdapter() {
            @Override
            public Iterable<Device> getDevices() {
              return List.of(
                  new DefaultDevice(null, DEVICE, Device.Type.SWITCH, "", "", "", "", null));
            }
          },
          new MastershipServiceAdapter() {
            @Override
            public boolean isLocalMaster(DeviceId device) {
              return isMaster;
            }
          },
          new FlowRuleServiceAdapter() {
            @Override
            public void addListener(FlowRuleListener listener) {
              listeners.add(listener);
            }

            @Override
            public void removeListener(FlowRuleListener listener) {
              listeners.remove(listener);
            }

            @Override
            public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
              return flows;
            }

            @Override
            public void purgeFlowRules(DeviceId device, ApplicationId application) {
              done.add("rules of " + device + " " + application.name());
              flows.removeIf(entry -> entry.appId() == application.id());
            }
          },
          new GroupServiceAdapter() {
            @Override
            public Iterable<Group> getGroups(DeviceId device, ApplicationId application) {
              return groups;
            }

            @Override
            public void purgeGroupEntries(DeviceId device, ApplicationId application) {
              done.add("groups of " + device + " " + application.name());
              groups.clear();
            }
          },
          tasks::add);

  @Test
  void onlyTheApplicationsEntriesArePurgedAndOnce() {
    flows.add(entry(OURS));
    flows.add(entry(OTHER));
    groups.add(
        new DefaultGroup(
            GroupId.valueOf(0x4557_0001),
            DEVICE,
            GroupDescription.Type.SELECT,
            new GroupBuckets(List.of())));
    cleanup.clean();
    cleanup.clean();
    assertEquals(
        List.of(
            "rules of " + DEVICE + " org.evenweave.app",
            "groups of " + DEVICE + " org.evenweave.app"),
        done);
    assertEquals(1, flows.size());
  }

  @Test
  void aSwitchOfAnotherMasterIsLeftToThat() {
    flows.add(entry(OURS));
    isMaster = false;
    cleanup.clean();
    assertEquals(List.of(), done);
  }

  @Test
  void whatOthersHaveInTheStoresStays() {
    flows.add(entry(OTHER));
    cleanup.clean();
    assertEquals(List.of(), done);
  }

  /**
   * If it stayed until the next check, ONOS would delete the engine's rule to put this one back.
   */
  @Test
  void aRuleGoesAgainAsSoonAsItComesIntoAStore() {
    flows.add(entry(OURS));
    send(FlowRuleEvent.Type.RULE_ADD_REQUESTED, OURS);
    tasks.forEach(Runnable::run);
    assertEquals(List.of("rules of " + DEVICE + " org.evenweave.app"), done);
  }

  @Test
  void nothingFollowsFromOtherEvents() {
    flows.add(entry(OURS));
    send(FlowRuleEvent.Type.RULE_ADD_REQUESTED, OTHER);
    send(FlowRuleEvent.Type.RULE_REMOVED, OURS);
    assertEquals(List.of(), tasks);
    cleanup.close();
    assertEquals(List.of(), listeners);
  }

  private void send(FlowRuleEvent.Type type, ApplicationId application) {
    FlowRuleEvent event = new FlowRuleEvent(type, entry(application));
    for (FlowRuleListener listener : listeners) {
      if (listener.isRelevant(event)) {
        listener.event(event);
      }
    }
  }

  private static FlowEntry entry(ApplicationId application) {
    return new DefaultFlowEntry(
        DefaultFlowRule.builder()
            .forDevice(DEVICE)
            .fromApp(application)
            .withPriority(1)
            .withSelector(DefaultTrafficSelector.emptySelector())
            .withTreatment(DefaultTrafficTreatment.emptyTreatment())
            .makePermanent()
            .build());
  }
}
