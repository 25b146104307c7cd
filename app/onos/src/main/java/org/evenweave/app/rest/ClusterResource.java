package org.evenweave.app.rest;

import java.util.Optional;
import org.onosproject.cluster.NodeId;

/** What questions are about: it is on one instance at a time, and answers there. */
interface ClusterResource {
  /** Its resource that says how it is. */
  String statusResource();

  /** The field of its status that names where it is, on whichever instance one asks. */
  String placeField();

  /** Where it is, for the sentence that it does not answer. */
  String placeName();

  /** Where it is; empty if nowhere. */
  Optional<NodeId> place();

  /** The answer while it is nowhere. */
  RestResponse absent();

  /** Answers on the instance where it is. */
  RestResponse answer(RestRequest question);
}
