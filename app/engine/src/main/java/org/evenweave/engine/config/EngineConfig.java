package org.evenweave.engine.config;

import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * What the operator tells the engine: the fabric as it is meant to be, and which switch is which.
 *
 * <p>The intended fabric names switches, their stages and table sizes, the capacity of each link
 * where the switch's own claim is not to be believed, and the prefixes. Which switches and links
 * are really there is discovered.
 */
public final class EngineConfig {
  private final Fabric intended;
  private final Map<Long, String> switchIdOfDatapath;
  private final WeightRule weightRule;

  /**
   * @param switchIdOfDatapath OpenFlow datapath id to switch id of {@code intended}
   */
  public EngineConfig(
      Fabric intended, Map<Long, String> switchIdOfDatapath, WeightRule weightRule) {
    this.intended = intended;
    this.switchIdOfDatapath = Map.copyOf(switchIdOfDatapath);
    this.weightRule = weightRule;
  }

  /** Nothing known beforehand: every switch is named after its datapath id, in stage 1. */
  public static EngineConfig empty() {
    return new EngineConfig(new FabricBuilder().build(), Map.of(), WeightRule.EFFECTIVE_CAPACITY);
  }

  public Fabric intended() {
    return intended;
  }

  /** The rule in force at the start; it can be changed while running. */
  public WeightRule weightRule() {
    return weightRule;
  }

  public EngineConfig withWeightRule(WeightRule rule) {
    return new EngineConfig(intended, switchIdOfDatapath, rule);
  }

  /** The configured id, or {@code of:} and 16 hex digits. */
  public String switchIdOf(long datapathId) {
    String configured = switchIdOfDatapath.get(datapathId);
    return configured != null ? configured : String.format("of:%016x", datapathId);
  }
}
