package org.evenweave.app.requirements;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.onlab.util.Tools;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the channel to switches for as long as ONOS's OpenFlow controller is there, so that what
 * needs it starts and ends with it, in whichever order things come up.
 *
 * <p>ONOS sees to it that an application's required applications are installed and active, but not
 * that they work: without their services ours would count as active and do nothing. So a lone ONOS
 * whose controller has been away for a while has the application deactivated, and its log says why.
 * In a cluster that would end it on the instances that work, too; there it is only logged.
 */
@Component(
    immediate = true,
    service = {})
public final class OpenFlowRequirement {
  /** ONOS has taken 40 s to start its controller, on a machine at ten times its capacity. */
  private static final long GRACE_SECONDS = 120;

  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowRequirement.class);

  private final CoreService core;
  private final ApplicationAdminService applications;
  private final ClusterService cluster;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Tools.groupedThreads("evenweave", "requirement", LOG));

  private ServiceTracker<Object, Offered> tracker;

  @Activate
  public OpenFlowRequirement(
      @Reference CoreService core,
      @Reference ApplicationAdminService applications,
      @Reference ClusterService cluster) {
    this.core = core;
    this.applications = applications;
    this.cluster = cluster;
  }

  @Activate
  void activate(BundleContext bundle) {
    tracker = new ServiceTracker<>(bundle, OpenFlowChannel.SERVICE, new Offer(bundle));
    tracker.open();
    scheduleCheck();
  }

  @Deactivate
  void deactivate() {
    tracker.close();
    executor.shutdownNow();
  }

  private void scheduleCheck() {
    executor.schedule(this::deactivateUnlessMet, GRACE_SECONDS, TimeUnit.SECONDS);
  }

  void deactivateUnlessMet() {
    if (tracker.size() > 0) {
      return;
    }
    LOG.error(
        "ONOS's OpenFlow controller has been unavailable for {} s; without it the application does"
            + " nothing; \"scr:list\" shows what the controller lacks",
        GRACE_SECONDS);
    if (cluster.getNodes().size() == 1) {
      LOG.error("deactivating the application {}", EvenweaveService.NAME);
      applications.deactivate(core.getAppId(EvenweaveService.NAME));
    }
  }

  /** A channel and what takes it out of the service registry. */
  private static final class Offered {
    final OpenFlowChannel channel;
    final ServiceRegistration<OpenFlowChannel> registration;

    Offered(OpenFlowChannel channel, ServiceRegistration<OpenFlowChannel> registration) {
      this.channel = channel;
      this.registration = registration;
    }
  }

  private final class Offer implements ServiceTrackerCustomizer<Object, Offered> {
    private final BundleContext bundle;

    Offer(BundleContext bundle) {
      this.bundle = bundle;
    }

    @Override
    public Offered addingService(ServiceReference<Object> controller) {
      try {
        OpenFlowChannel channel = new OpenFlowChannel(bundle.getService(controller));
        return new Offered(channel, bundle.registerService(OpenFlowChannel.class, channel, null));
      } catch (IllegalStateException e) {
        LOG.error("no channel to switches", e);
        bundle.ungetService(controller);
        return null;
      }
    }

    @Override
    public void modifiedService(ServiceReference<Object> controller, Offered offered) {
      // Changed properties of the controller have no effect here.
    }

    @Override
    public void removedService(ServiceReference<Object> controller, Offered offered) {
      // Users of the channel stop before the channel closes.
      offered.registration.unregister();
      offered.channel.close();
      bundle.ungetService(controller);
      scheduleCheck();
    }
  }
}
