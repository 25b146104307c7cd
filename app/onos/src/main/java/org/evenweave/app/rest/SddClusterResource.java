package org.evenweave.app.rest;

import java.util.Optional;
import org.evenweave.app.sdd.SddService;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which runs where the network configuration has it. */
final class SddClusterResource implements ClusterResource {
  /** Its resources are below it. */
  static final String ROOT = "sdd";

  private final SddService sdd;
  private final NodeId local;

  /** Answers for the controller that was asked last; guarded by this. */
  private SddController answeredFor;

  private ResourceDispatcher answers;

  SddClusterResource(SddService sdd, NodeId local) {
    this.sdd = sdd;
    this.local = local;
  }

  @Override
  public String statusResource() {
    return ROOT + "/status";
  }

  @Override
  public String placeField() {
    return "runsOn";
  }

  @Override
  public String placeName() {
    return "the SDD controller's instance";
  }

  @Override
  public Optional<NodeId> place() {
    return sdd.place();
  }

  @Override
  public RestResponse absent() {
    return sdd.configured()
        ? RestResponse.error(503, "no instance leads, and the leader is to run the SDD controller")
        : RestResponse.error(
            404,
            "no SDD controller is configured; the network configuration has it under"
                + " apps/org.evenweave.app/sdd");
  }

  @Override
  public RestResponse answer(RestRequest question) {
    SddController controller = sdd.controller().orElse(null);
    return controller == null
        ? RestResponse.error(
            503, "the SDD controller does not run on " + local + ": " + sdd.problem())
        : answersFor(controller).answer(question);
  }

  private synchronized ResourceDispatcher answersFor(SddController controller) {
    if (controller != answeredFor) {
      answers = new ResourceDispatcher(SddResources.of(controller));
      answeredFor = controller;
    }
    return answers;
  }
}
