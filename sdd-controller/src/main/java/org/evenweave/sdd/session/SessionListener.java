package org.evenweave.sdd.session;

/** Called by network threads for changes of sessions; must not block. */
public interface SessionListener {
  /** The host has been welcomed. */
  void hostUp(HostSession host);

  /** The session has ended; a newer one of the same host may be up already. */
  void hostDown(HostSession host);

  /** A new demand report is there. */
  void demandReported(HostSession host);

  /** A trigger fired. */
  void triggerFired(HostSession host, TriggerEvent event);
}
