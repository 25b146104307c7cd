package org.evenweave.app.rest;

import java.util.Map;
import java.util.Optional;
import org.evenweave.app.sdd.SddService;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which runs where the network configuration says. */
final class SddClusterResource implements ClusterResource {
  /** The root of its resources. */
  static final String ROOT = "sdd";

  private final SddService sdd;
  private final NodeId local;

  /** The controller of {@link #dispatcher}; guarded by this. */
  private SddController dispatcherFor;

  private ResourceDispatcher dispatcher;

  SddClusterResource(SddService sdd, NodeId local) {
    this.sdd = sdd;
    this.local = local;
  }

  @Override
  public String statusResource() {
    return ROOT + "/status";
  }

  @Override
  public String instanceField() {
    return "runsOn";
  }

  @Override
  public Map<String, String> statusFields() {
    return sdd.standby().map(standby -> Map.of("standby", standby.id())).orElse(Map.of());
  }

  @Override
  public String instanceLabel() {
    return "the SDD controller's instance";
  }

  @Override
  public Optional<NodeId> instance() {
    return sdd.instance();
  }

  @Override
  public RestResponse unavailable() {
    return sdd.configured()
        ? RestResponse.error(503, "no instance leads, and the leader is to run the SDD controller")
        : RestResponse.error(
            404,
            "no SDD controller is configured; the network configuration has it under"
                + " apps/org.evenweave.app/sdd");
  }

  @Override
  public RestResponse handle(RestRequest request) {
    SddController controller = sdd.controller().orElse(null);
    return controller == null
        ? RestResponse.error(
            503, "the SDD controller does not run on " + local + ": " + sdd.problem())
        : dispatcher(controller).handle(request);
  }

  private synchronized ResourceDispatcher dispatcher(SddController controller) {
    if (controller != dispatcherFor) {
      dispatcher = new ResourceDispatcher(SddResources.of(controller));
      dispatcherFor = controller;
    }
    return dispatcher;
  }
}
