package org.evenweave.app.rest;

/**
 * Sends requests to the REST resources of the engine and the SDD controller, wherever in the
 * cluster these run. Every instance gives the same response.
 */
public interface RestClient {
  /**
   * Blocks until the response. Errors are responses too, with a status and JSON: 503 while no
   * engine runs.
   */
  RestResponse send(RestRequest request);
}
