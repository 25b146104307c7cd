package org.evenweave.metrics;

import java.util.Collection;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.Path;
import javax.ws.rs.core.Response;

/** The metrics of the process. */
@Path("metrics")
public final class MetricsResource {
  private final MetricsPage page;

  public MetricsResource(Collection<Source> sources) {
    page = new MetricsPage(sources);
  }

  /** In Prometheus' text format, or in OpenMetrics. */
  @GET
  public Response metrics(@HeaderParam("Accept") String accept) {
    return page.scrape(accept).response();
  }
}
