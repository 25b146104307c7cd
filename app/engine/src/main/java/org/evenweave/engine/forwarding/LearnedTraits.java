package org.evenweave.engine.forwarding;

import java.util.Collection;
import java.util.stream.IntStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** What a runtime knows of switches, with the limits that their refusals taught. */
final class LearnedTraits implements SwitchTraits {
  private final SwitchTraits runtime;
  private final LearnedLimits learned;

  LearnedTraits(SwitchTraits runtime, LearnedLimits learned) {
    this.runtime = runtime;
    this.learned = learned;
  }

  @Override
  public Limits limits(String switchId) {
    return runtime.limits(switchId).and(learned.of(switchId));
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return runtime.standingRules();
  }

  @Override
  public boolean seedsHash(String switchId) {
    return runtime.seedsHash(switchId);
  }

  @Override
  public SwitchTarget target(String switchId) {
    return runtime.target(switchId);
  }

  @Override
  public boolean looksUpAgain(String switchId) {
    return runtime.looksUpAgain(switchId);
  }

  @Override
  public boolean mayChooseLargeTables(String switchId) {
    return runtime.mayChooseLargeTables(switchId);
  }

  @Override
  public String ownerOf(long cookie) {
    return runtime.ownerOf(cookie);
  }

  @Override
  public boolean removesForeign() {
    return runtime.removesForeign();
  }

  @Override
  public IntStream groupIds(String switchId) {
    return runtime.groupIds(switchId);
  }
}
