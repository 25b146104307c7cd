package org.evenweave.app.rest;

/**
 * Asks the engine's REST resources, wherever in the cluster the engine runs. Every instance gives
 * the same answer.
 */
public interface Questions {
  /**
   * Waits for the answer. Whatever goes wrong is an answer too, with a status and JSON: 503 while
   * there is no engine to ask.
   */
  Answer ask(Question question);
}
