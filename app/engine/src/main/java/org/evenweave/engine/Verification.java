package org.evenweave.engine;

import org.evenweave.engine.forwarding.ReadBack;

/** What the switches hold, and the engine at the moment when the last of them was read. */
public final class Verification {
  private final EngineView view;
  private final ReadBack read;

  Verification(EngineView view, ReadBack read) {
    this.view = view;
    this.read = read;
  }

  public EngineView view() {
    return view;
  }

  public ReadBack read() {
    return read;
  }
}
