package org.evenweave.engine.port;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * A copy of some switches' traits at one moment, for threads other than the engine's loop.
 * Immutable.
 */
public final class TraitsCopy implements SwitchTraits {
  private final SwitchTraits original;
  private final Collection<FlowRule> standingRules;
  private final Map<String, OfSwitch> switches = new HashMap<>();

  private static final class OfSwitch {
    final boolean seedsHash;
    final SwitchTarget target;
    final boolean looksUpAgain;
    final boolean mayChooseLargeTables;
    final Limits limits;

    OfSwitch(SwitchTraits traits, String id) {
      seedsHash = traits.seedsHash(id);
      target = traits.target(id);
      looksUpAgain = traits.looksUpAgain(id);
      mayChooseLargeTables = traits.mayChooseLargeTables(id);
      limits = traits.limits(id);
    }
  }

  /**
   * @param original asked for all that depends on the switch here, and later only for the group
   *     ids, which are the same at all times
   * @param switchIds the only switches that the copy may be asked for
   */
  public TraitsCopy(SwitchTraits original, Collection<String> switchIds) {
    this.original = original;
    standingRules = List.copyOf(original.standingRules());
    switchIds.forEach(id -> switches.put(id, new OfSwitch(original, id)));
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return standingRules;
  }

  @Override
  public boolean seedsHash(String switchId) {
    return switches.get(switchId).seedsHash;
  }

  @Override
  public SwitchTarget target(String switchId) {
    return switches.get(switchId).target;
  }

  @Override
  public boolean looksUpAgain(String switchId) {
    return switches.get(switchId).looksUpAgain;
  }

  @Override
  public boolean mayChooseLargeTables(String switchId) {
    return switches.get(switchId).mayChooseLargeTables;
  }

  @Override
  public Limits limits(String switchId) {
    return switches.get(switchId).limits;
  }

  @Override
  public IntStream groupIds(String switchId) {
    return original.groupIds(switchId);
  }
}
