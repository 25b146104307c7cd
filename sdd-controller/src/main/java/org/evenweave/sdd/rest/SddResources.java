package org.evenweave.sdd.rest;

import java.util.Set;
import org.evenweave.sdd.loop.SddController;

/** All REST resources of the SDD controller, for a runtime to serve under its own root. */
public final class SddResources {
  private SddResources() {}

  /** JAX-RS singletons; each handles requests from many threads. */
  public static Set<Object> of(SddController controller) {
    return Set.of(
        new SddStatusResource(controller),
        new SddHostsResource(controller),
        new SddQueuesResource(controller),
        new SddDemandResource(controller),
        new SddScheduleResource(controller),
        new SddRatesResource(controller),
        new SddSharingResource(controller),
        new SddTriggersResource(controller),
        new SddEventsResource(controller),
        new SddMissesResource(controller),
        new SddEdgeResource(controller),
        new SddMetricsResource(controller));
  }
}
