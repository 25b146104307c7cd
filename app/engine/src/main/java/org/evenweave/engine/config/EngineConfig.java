package org.evenweave.engine.config;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The operator's configuration: the fabric as intended, which switch is which, how next hops are
 * weighted, and what is to carry no traffic. Immutable.
 *
 * <p>The intended fabric names switches, their stages and table sizes, the capacity of each link
 * where the switch's own report is wrong, and the prefixes. Which of the switches and links are up
 * is discovered. A link that is discovered but not configured carries no traffic, unless the
 * configuration leaves the links to discovery.
 */
public final class EngineConfig {
  private static final Pattern UNNAMED = Pattern.compile("of:[0-9a-f]{16}");

  private final Fabric intended;
  private final Map<Long, String> switchIdOfDatapath;
  private final boolean linksDiscovered;
  private final WeightRule weightRule;
  private final BigDecimal maxOversubscription;
  private final SortedSet<String> excludedSwitches;
  private final SortedSet<SwitchPort> excludedLinks;
  private final DampingConfig damping;
  private final BfdConfig bfd;
  private final SortedSet<String> aggregating;
  private final TrafficConfig traffic;

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
        false,
        weightRule,
        BigDecimal.ONE,
        new TreeSet<>(),
        new TreeSet<>(),
        DampingConfig.DEFAULT,
        BfdConfig.OFF,
        new TreeSet<>(),
        TrafficConfig.DEFAULT);
  }

  private EngineConfig(
      Fabric intended,
      Map<Long, String> switchIdOfDatapath,
      boolean linksDiscovered,
      WeightRule weightRule,
      BigDecimal maxOversubscription,
      SortedSet<String> excludedSwitches,
      SortedSet<SwitchPort> excludedLinks,
      DampingConfig damping,
      BfdConfig bfd,
      SortedSet<String> aggregating,
      TrafficConfig traffic) {
    this.intended = intended;
    this.switchIdOfDatapath = switchIdOfDatapath;
    this.linksDiscovered = linksDiscovered;
    this.weightRule = weightRule;
    this.maxOversubscription = maxOversubscription;
    this.excludedSwitches = excludedSwitches;
    this.excludedLinks = excludedLinks;
    this.damping = damping;
    this.bfd = bfd;
    this.aggregating = aggregating;
    this.traffic = traffic;
  }

  /**
   * Nothing known beforehand: every switch is named after its datapath id, in stage 1, and every
   * link that is discovered carries traffic.
   */
  public static EngineConfig empty() {
    return new EngineConfig(new FabricBuilder().build(), Map.of(), WeightRule.EFFECTIVE_CAPACITY)
        .withLinksDiscovered();
  }

  public Fabric intended() {
    return intended;
  }

  /** The datapath ids that are named, and their switches' ids. */
  public Map<Long, String> switchIdOfDatapath() {
    return switchIdOfDatapath;
  }

  /**
   * Whether every link that probes find carries traffic. Otherwise only the links of {@link
   * #intended} do, because anybody at two edge ports can relay probes between them.
   */
  public boolean linksDiscovered() {
    return linksDiscovered;
  }

  /** The same with links as discovered, whatever links are configured. */
  public EngineConfig withLinksDiscovered() {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        true,
        weightRule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        damping,
        bfd,
        aggregating,
        traffic);
  }

  public WeightRule weightRule() {
    return weightRule;
  }

  public EngineConfig withWeightRule(WeightRule rule) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        rule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        damping,
        bfd,
        aggregating,
        traffic);
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
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        limit,
        excludedSwitches,
        excludedLinks,
        damping,
        bfd,
        aggregating,
        traffic);
  }

  /** Switches that are to carry no traffic although they are there, by id. */
  public SortedSet<String> excludedSwitches() {
    return Collections.unmodifiableSortedSet(excludedSwitches);
  }

  /** Links that are to carry no traffic although they are up, each by one of its two ends. */
  public SortedSet<SwitchPort> excludedLinks() {
    return Collections.unmodifiableSortedSet(excludedLinks);
  }

  /**
   * @param switchIds of switches
   * @param linkEnds one end stands for its link
   */
  public EngineConfig withExcluded(Collection<String> switchIds, Collection<SwitchPort> linkEnds) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        maxOversubscription,
        new TreeSet<>(switchIds),
        new TreeSet<>(linkEnds),
        damping,
        bfd,
        aggregating,
        traffic);
  }

  /** How links that fail often are kept out of traffic. */
  public DampingConfig damping() {
    return damping;
  }

  public EngineConfig withDamping(DampingConfig newDamping) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        newDamping,
        bfd,
        aggregating,
        traffic);
  }

  /** How the switches watch links by themselves. */
  public BfdConfig bfd() {
    return bfd;
  }

  public EngineConfig withBfd(BfdConfig newBfd) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        damping,
        newBfd,
        aggregating,
        traffic);
  }

  /** The switches that hold merged rules for neighbouring prefixes, by id. */
  public SortedSet<String> aggregating() {
    return Collections.unmodifiableSortedSet(aggregating);
  }

  public EngineConfig withAggregating(Collection<String> switchIds) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        damping,
        bfd,
        new TreeSet<>(switchIds),
        traffic);
  }

  /** How the traffic matrix is measured. */
  public TrafficConfig traffic() {
    return traffic;
  }

  public EngineConfig withTraffic(TrafficConfig newTraffic) {
    return new EngineConfig(
        intended,
        switchIdOfDatapath,
        linksDiscovered,
        weightRule,
        maxOversubscription,
        excludedSwitches,
        excludedLinks,
        damping,
        bfd,
        aggregating,
        newTraffic);
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

  /** Whether an id is {@code of:} and 16 hex digits, as of a switch that is not named. */
  static boolean isUnnamed(String switchId) {
    return UNNAMED.matcher(switchId).matches();
  }

  /** Whether a switch of this id would have another if it connected now. */
  public boolean renames(String switchId) {
    return isUnnamed(switchId)
        ? !switchId.equals(switchIdOf(Long.parseUnsignedLong(switchId.substring(3), 16)))
        : !switchIdOfDatapath.containsValue(switchId);
  }
}
