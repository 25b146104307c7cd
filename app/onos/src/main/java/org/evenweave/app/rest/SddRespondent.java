package org.evenweave.app.rest;

import java.util.Optional;
import org.evenweave.app.sdd.SddService;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which runs where the network configuration has it. */
final class SddRespondent implements Respondent {
  /** Its resources are below it. */
  static final String ROOT = "sdd";

  private final SddService sdd;
  private final NodeId local;

  /** Answers for the controller that was asked last; guarded by this. */
  private SddController answeredFor;

  private ResourceAnswers answers;

  SddRespondent(SddService sdd, NodeId local) {
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
  public Answer absent() {
    return sdd.configured()
        ? Answer.error(503, "no instance leads, and the leader is to run the SDD controller")
        : Answer.error(
            404,
            "no SDD controller is configured; the network configuration has it under"
                + " apps/org.evenweave.app/sdd");
  }

  @Override
  public Answer answer(Question question) {
    SddController controller = sdd.controller().orElse(null);
    return controller == null
        ? Answer.error(503, "the SDD controller does not run on " + local + ": " + sdd.problem())
        : answersFor(controller).answer(question);
  }

  private synchronized ResourceAnswers answersFor(SddController controller) {
    if (controller != answeredFor) {
      answers = new ResourceAnswers(SddResources.of(controller));
      answeredFor = controller;
    }
    return answers;
  }
}
