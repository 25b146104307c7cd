package org.evenweave.engine.forwarding;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * How much the tables of switches hold: as configured, as they report, and as their refusals
 * taught; the lowest of each limit counts. Owned by the engine's loop.
 */
public final class SwitchLimits {
  private final Supplier<EngineConfig> config;
  private final LearnedLimits learned = new LearnedLimits(this::entries);
  private final SwitchTraits traits;

  /**
   * @param runtime what it knows of switches
   * @param config in force
   */
  SwitchLimits(SwitchTraits runtime, Supplier<EngineConfig> config) {
    this.config = config;
    traits = new LearnedTraits(runtime, learned);
  }

  /** Properties of the switches beyond the fabric file, with the limits learned from them. */
  public SwitchTraits traits() {
    return traits;
  }

  /**
   * The listener receives a sentence for each limit that is learned from a switch's refusal.
   * Replaces the previous listener.
   */
  public void setLearnedListener(Consumer<String> listener) {
    learned.setListener(listener);
  }

  LearnedLimits learned() {
    return learned;
  }

  /** The most rules of a switch, or {@link Fabric#UNLIMITED}. */
  int rules(String switchId) {
    Fabric intended = config.get().intended();
    int s = intended.indexOf(switchId);
    Limits configured = s < 0 ? Limits.NONE : intended.limits(s);
    return configured.and(traits.limits(switchId)).rules();
  }

  /** The multipath table entries that a group takes in a switch. */
  private int entries(String switchId, SelectGroup group) {
    Fabric intended = config.get().intended();
    int s = intended.indexOf(switchId);
    SwitchTarget configured = s < 0 ? null : intended.target(s);
    return group.entries(configured != null ? configured : traits.target(switchId));
  }
}
