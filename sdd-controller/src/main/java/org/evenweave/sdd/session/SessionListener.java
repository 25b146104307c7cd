package org.evenweave.sdd.session;

/** Told about sessions by network threads; must not wait. */
public interface SessionListener {
  /** The host has been welcomed. */
  void hostUp(HostSession host);

  /** The session has ended; a newer one of the same host may be up already. */
  void hostDown(HostSession host);

  /** A new demand report is there. */
  void demandReported(HostSession host);

  /**
   * A trigger fired.
   *
   * @param cookie the one of {@link SddHost#addTrigger}
   * @param timeNs when its condition became true
   */
  void triggerFired(HostSession host, long cookie, long timeNs);
}
