package org.evenweave.app;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.ClusterMemory;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.removal.Purge;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.ovsdb.BfdSetup;
import org.evenweave.ovsdb.OvsdbTls;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.device.DeviceService;
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

  /** ONOS uninstalls one application at a time. */
  private static final long REMOVAL_SECONDS = 15;

  private final ApplicationId application;
  private final ApplicationAdminService applications;
  private final ConfigKeeper keeper;
  private final EngineRunner runner;
  private final SwitchAccess switches;
  private final DeviceService devices;
  private final MastershipService masterships;
  private final StorageService storage;
  private final ScheduledExecutorService executor;

  /**
   * @param executor of the runner
   */
  ApplicationRemoval(
      ApplicationId application,
      ApplicationAdminService applications,
      ConfigKeeper keeper,
      EngineRunner runner,
      SwitchAccess switches,
      DeviceService devices,
      MastershipService masterships,
      StorageService storage,
      ScheduledExecutorService executor) {
    this.application = application;
    this.applications = applications;
    this.keeper = keeper;
    this.runner = runner;
    this.switches = switches;
    this.devices = devices;
    this.masterships = masterships;
    this.storage = storage;
    this.executor = executor;
  }

  /** Purges all switches, and then deactivates the application on all instances. */
  CompletableFuture<Purge.Result> purge() {
    return CompletableFuture.supplyAsync(this::purgeSwitches, executor)
        .thenCompose(result -> result)
        .thenApplyAsync(this::removeBfd, executor)
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
    return purge(switchIds, switches.southbound(epoch, names));
  }

  /** Every instance does, since one that still leads may set it up until it ends too. */
  private Purge.Result removeBfd(Purge.Result result) {
    return result.withServerProblems(BfdSetup.remove(runner.bfdServers(), OvsdbTls.NONE));
  }

  private void afterPurge(Throwable error) {
    if (error != null) {
      LOG.error("the switches cannot be purged now", error);
      runner.resume();
      return;
    }
    ClusterMemory.forgetHosts(storage);
    keeper.forget();
    LOG.info("all groups and rules are removed; deactivating {}", EvenweaveService.NAME);
    executor.schedule(
        () -> applications.deactivate(application), DEACTIVATE_AFTER_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Removes all groups and rules from the switches that this instance is master of, and BFD, before
   * the application is uninstalled: every instance does. Returns when they are gone, or after some
   * seconds.
   */
  void removeHere() {
    CompletableFuture<Purge.Result> removed =
        CompletableFuture.supplyAsync(this::removeFromOwnSwitches, executor)
            .thenCompose(result -> result)
            .thenApplyAsync(this::removeBfd, executor);
    try {
      Purge.Result result = removed.get(REMOVAL_SECONDS, TimeUnit.SECONDS);
      LOG.info("removed {} groups and {} rules", result.groups(), result.rules());
      result.problems().forEach((id, problem) -> LOG.warn("{} not cleared: {}", id, problem));
      result.serverProblems().forEach((id, problem) -> LOG.warn("{}: {}", id, problem));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("groups and rules may be left in switches", e);
    }
    ClusterMemory.forgetHosts(storage);
    keeper.forget();
  }

  private CompletableFuture<Purge.Result> removeFromOwnSwitches() {
    runner.suspend("uninstalled: removing all groups and rules from the switches");
    SwitchNames names = new SwitchNames(keeper.configured()::switchIdOf);
    TreeSet<String> switchIds = new TreeSet<>();
    for (Device device : devices.getDevices()) {
      if (SwitchNames.isSwitch(device.id()) && masterships.isLocalMaster(device.id())) {
        switchIds.add(names.nameOf(device.id()));
      }
    }
    return purge(switchIds, switches.lastSouthbound(names));
  }

  private static CompletableFuture<Purge.Result> purge(
      Set<String> switchIds, SouthboundPort southbound) {
    ThreadLoop loop = new ThreadLoop();
    return new Purge(southbound, loop, PURGE_NANOS)
        .of(switchIds)
        .whenComplete((result, error) -> loop.close());
  }
}
