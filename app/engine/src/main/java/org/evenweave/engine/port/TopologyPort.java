package org.evenweave.engine.port;

/** Where the engine learns of the network. A runtime implements it with its own discovery. */
public interface TopologyPort {
  /**
   * From now on calls the listener for every change, after telling it all that is known already.
   * Calls may come from any thread; calls about one switch come in the order things happened.
   */
  void setListener(TopologyListener listener);
}
