package org.evenweave.engine.config;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * What the operator tells the engine: the fabric as it is meant to be, which switch is which, how
 * next hops are weighted, and what is to carry no traffic. Immutable.
 *
 * <p>The intended fabric names switches, their stages and table sizes, the capacity of each link
 * where the switch's own claim is not to be believed, and the prefixes. Which switches and links
 * are really there is discovered.
 */
public final class EngineConfig {
  private final Fabric intended;
  private final Map<Long, String> switchIdOfDatapath;
  private final WeightRule weightRule;
  private final BigDecimal maxOversubscription;
  private final SortedSet<String> excludedSwitches;
  private final SortedSet<String> excludedLinks;

  /**
   * A configuration that asks for weights as exact as tables allow and excludes nothing.
   *
   * @param switchIdOfDatapath OpenFlow datapath id to switch id of {@code intended}
   */
  public EngineConfig(
      Fabric intended, Map<Long, String> switchIdOfDatapath, WeightRule weightRule) {
    this(
        intended,
        Collections.unmodifiableMap(new TreeMap<>(switchIdOfDatapath)),
        weightRule,
        BigDecimal.ONE,
        new TreeSet<>(),
        new TreeSet<>());
  }

  private EngineConfig(
      Fabric intended,
      Map<Long, String> switchIdOfDatapath,
      WeightRule weightRule,
      BigDecimal maxOversubscription,
      SortedSet<String> excludedSwitches,
      SortedSet<String> excludedLinks) {
    this.intended = intended;
    this.switchIdOfDatapath = switchIdOfDatapath;
    this.weightRule = weightRule;
    this.maxOversubscription = maxOversubscription;
    this.excludedSwitches = excludedSwitches;
    this.excludedLinks = excludedLinks;
  }

  /** Nothing known beforehand: every switch is named after its datapath id, in stage 1. */
  public static EngineConfig empty() {
    return new EngineConfig(new FabricBuilder().build(), Map.of(), WeightRule.EFFECTIVE_CAPACITY);
  }

  public Fabric intended() {
    return intended;
  }

  /** The datapath ids that are named, and their switches' ids. */
  public Map<Long, String> switchIdOfDatapath() {
    return switchIdOfDatapath;
  }

  public WeightRule weightRule() {
    return weightRule;
  }

  public EngineConfig withWeightRule(WeightRule rule) {
    return new EngineConfig(
        intended, switchIdOfDatapath, rule, maxOversubscription, excludedSwitches, excludedLinks);
  }

  /**
   * The limit on the maximum oversubscription of a group (Tewari 2015, section 3.3.2, Equation
   * 3.3), at least 1: groups take no more table entries than they need for it. 1 asks for shares as
   * near to the ideal weights as the table allows.
   */
  public Ratio maxOversubscription() {
    return Ratio.of(maxOversubscription);
  }

  /** The same as the decimal that was configured. */
  public BigDecimal maxOversubscriptionDecimal() {
    return maxOversubscription;
  }

  /**
   * @param limit at least 1
   */
  public EngineConfig withMaxOversubscription(BigDecimal limit) {
    if (limit.compareTo(BigDecimal.ONE) < 0) {
      throw new IllegalArgumentException("maxOversubscription must be at least 1, not " + limit);
    }
    return new EngineConfig(
        intended, switchIdOfDatapath, weightRule, limit, excludedSwitches, excludedLinks);
  }

  /** Switches that are to carry no traffic although they are there, by id. */
  public SortedSet<String> excludedSwitches() {
    return Collections.unmodifiableSortedSet(excludedSwitches);
  }

  /** Links that are to carry no traffic although they are up, each by one of its two ends. */
  public SortedSet<String> excludedLinks() {
    return Collections.unmodifiableSortedSet(excludedLinks);
  }

  /**
   * @param switchIds of switches
   * @param linkEnds {@code switch/port}; one end stands for its link
   */
  public EngineConfig withExcluded(Collection<String> switchIds, Collection<String> linkEnds) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        weightRule,
        maxOversubscription,
        new TreeSet<>(switchIds),
        new TreeSet<>(linkEnds));
  }

  /** The configured id, or {@code of:} and 16 hex digits. */
  public String switchIdOf(long datapathId) {
    String configured = switchIdOfDatapath.get(datapathId);
    return configured != null ? configured : unnamed(datapathId);
  }

  /** The id of a switch that is not named: {@code of:} and 16 hex digits. */
  public static String unnamed(long datapathId) {
    return String.format("of:%016x", datapathId);
  }
}
