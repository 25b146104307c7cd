package org.evenweave.engine.port;

/** The source of topology events. A runtime implements it with its own discovery. */
public interface TopologyPort {
  /**
   * From now on calls the listener for every change, after replaying all that is known already.
   * Calls may come from any thread; calls about one switch come in the order things happened.
   */
  void setListener(TopologyListener listener);

  /** Whether {@link #reconnect} is there to be used. */
  default boolean reconnects() {
    return false;
  }

  /**
   * Ends a switch's connection. The switch reconnects by itself, under the name that is then
   * configured for it. Does nothing for a switch that is not connected.
   */
  default void reconnect(String switchId) {
    throw new UnsupportedOperationException("this network does not end connections");
  }
}
