package org.evenweave.sdd.rest;

import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.Path;
import javax.ws.rs.core.Response;
import org.evenweave.metrics.MetricsPage;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.metrics.SddMetrics;

/** The SDD controller's metrics, where it need not run in the same process as the engine. */
@Path("sdd/metrics")
public final class SddMetricsResource {
  private final MetricsPage page;

  public SddMetricsResource(SddController controller) {
    page = new MetricsPage(List.of(new SddMetrics(controller)));
  }

  /** In Prometheus' text format, or in OpenMetrics. */
  @GET
  public Response metrics(@HeaderParam("Accept") String accept) {
    return page.scrape(accept).response();
  }
}
