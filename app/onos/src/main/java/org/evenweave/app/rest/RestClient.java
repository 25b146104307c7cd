package org.evenweave.app.rest;

/**
 * Asks the REST resources of the engine and of the SDD controller, wherever in the cluster these
 * run. Every instance gives the same answer.
 */
public interface RestClient {
  /**
   * Waits for the answer. Whatever goes wrong is an answer too, with a status and JSON: 503 while
   * there is no engine to ask.
   */
  RestResponse ask(RestRequest question);
}
