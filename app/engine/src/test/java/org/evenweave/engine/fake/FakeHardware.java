package org.evenweave.engine.fake;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** A network of switches that replicate table entries by weight. */
public final class FakeHardware extends FakeNetwork {
  public FakeHardware(Fabric fabric, VirtualLoop loop, long seed) {
    super(fabric, loop, seed);
  }

  @Override
  public SwitchTarget target(String switchId) {
    return SwitchTarget.REPLICATED_ENTRIES;
  }
}
