package org.evenweave.app;

import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.ClusterMemory;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.removal.Purge;
import org.evenweave.app.removal.Uninstaller;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.runtime.ThreadLoop;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.Device;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.GroupService;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what the application has installed: by a purge, or when it is uninstalled. */
final class ApplicationRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationRemoval.class);

  /** The timeout of one switch; a client that requests a purge waits for 30 s. */
  private static final long PURGE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Time for the response to a purge to go out before the application is deactivated. */
  private static final long DEACTIVATE_AFTER_SECONDS = 1;

  private final ApplicationId application;
  private final ApplicationAdminService applications;
  private final ClusterService cluster;
  private final ConfigKeeper keeper;
  private final EngineRunner runner;
  private final SwitchAccess switches;
  private final DeviceService devices;
  private final GroupService groups;
  private final FlowRuleService flows;
  private final StorageService storage;
  private final ScheduledExecutorService executor;

  /**
   * @param executor of the runner
   */
  ApplicationRemoval(
      ApplicationId application,
      ApplicationAdminService applications,
      ClusterService cluster,
      ConfigKeeper keeper,
      EngineRunner runner,
      SwitchAccess switches,
      DeviceService devices,
      GroupService groups,
      FlowRuleService flows,
      StorageService storage,
      ScheduledExecutorService executor) {
    this.application = application;
    this.applications = applications;
    this.cluster = cluster;
    this.keeper = keeper;
    this.runner = runner;
    this.switches = switches;
    this.devices = devices;
    this.groups = groups;
    this.flows = flows;
    this.storage = storage;
    this.executor = executor;
  }

  /** Purges all switches, and then deactivates the application on all instances. */
  CompletableFuture<Purge.Result> purge() {
    return CompletableFuture.supplyAsync(this::purgeSwitches, executor)
        .thenCompose(result -> result)
        .whenCompleteAsync((result, error) -> afterPurge(error), executor);
  }

  private CompletableFuture<Purge.Result> purgeSwitches() {
    runner.suspend("removing all groups and rules from the switches");
    LeaderEpoch epoch = runner.newEpoch();
    EngineConfig config = keeper.configured();
    SwitchNames names = new SwitchNames(config::switchIdOf);
    TreeSet<String> switchIds = new TreeSet<>();
    for (int s = 0; s < config.intended().switchCount(); s++) {
      switchIds.add(config.intended().switchId(s));
    }
    for (Device device : devices.getDevices()) {
      if (SwitchNames.isSwitch(device.id())) {
        switchIds.add(names.nameOf(device.id()));
      }
    }
    ThreadLoop loop = new ThreadLoop();
    return new Purge(switches.southbound(epoch, names, loop), loop, PURGE_NANOS)
        .of(switchIds)
        .whenComplete((result, error) -> loop.close());
  }

  private void afterPurge(Throwable error) {
    if (error != null) {
      LOG.error("the switches cannot be purged now", error);
      runner.resume();
      return;
    }
    removeFromOnos();
    LOG.info("all groups and rules are removed; deactivating {}", EvenweaveService.NAME);
    executor.schedule(
        () -> applications.deactivate(application), DEACTIVATE_AFTER_SECONDS, TimeUnit.SECONDS);
  }

  /** Removes rules and groups through ONOS, and what the cluster's store holds of hosts. */
  void removeFromOnos() {
    switches.releaseRules(cluster.getNodes());
    new Uninstaller(application, devices, groups, flows).remove();
    ClusterMemory.forgetHosts(storage);
  }
}
