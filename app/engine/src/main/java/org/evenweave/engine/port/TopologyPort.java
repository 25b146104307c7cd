package org.evenweave.engine.port;

/** The source of topology events. A runtime implements it with its own discovery. */
public interface TopologyPort {
  /**
   * From now on calls the listener for every change, after replaying all that is known already.
   * Calls may come from any thread; calls about one switch come in the order things happened.
   */
  void setListener(TopologyListener listener);

  /**
   * Has a switch reported as disconnected, and as connected again under the name that is then
   * configured for it, with its ports and links. Does nothing for a switch that is not connected.
   */
  void reconnect(String switchId);
}
