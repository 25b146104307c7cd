package org.evenweave.app.rest;

import java.util.Map;
import java.util.Optional;
import org.onosproject.cluster.NodeId;

/** REST resources of a component that runs on one instance of the cluster at a time. */
interface ClusterResource {
  /** The path of its status resource. */
  String statusResource();

  /** The field that {@link ClusterRestProxy} adds to its status: the instance where it runs. */
  String instanceField();

  /** Further fields that it adds. */
  default Map<String, String> statusFields() {
    return Map.of();
  }

  /** What an error message calls that instance. */
  String instanceLabel();

  /** The instance where it runs; empty if it runs nowhere. */
  Optional<NodeId> instance();

  /** The response while it runs nowhere. */
  RestResponse unavailable();

  /** Handles a request, on the instance where it runs. */
  RestResponse handle(RestRequest request);
}
