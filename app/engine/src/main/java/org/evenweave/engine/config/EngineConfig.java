package org.evenweave.engine.config;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
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
  /** Of a link whose MTU is not configured: that of Ethernet, in bytes. */
  public static final int DEFAULT_MTU = 1500;

  private static final Pattern UNNAMED = Pattern.compile("of:[0-9a-f]{16}");

  /** What is configured, with what holds where nothing is said. Not changed once it is in use. */
  private static final class Values implements Cloneable {
    Fabric intended;
    Map<Long, String> switchIdOfDatapath;
    boolean linksDiscovered;
    WeightRule weightRule;
    BigDecimal maxOversubscription = BigDecimal.ONE;
    LeaveOut leaveOut = LeaveOut.AUTO;
    SortedSet<String> excludedSwitches = new TreeSet<>();
    SortedSet<SwitchPort> excludedLinks = new TreeSet<>();
    DampingConfig damping = DampingConfig.DEFAULT;
    BfdConfig bfd = BfdConfig.OFF;
    ForeignRulePolicy foreignRules = ForeignRulePolicy.REPORT;
    SortedSet<String> aggregating = new TreeSet<>();
    Map<String, SwitchCertificate> switchCertificates = Map.of();
    Map<SwitchPort, Integer> linkMtus = Map.of();
    Map<Ipv4Prefix, SourceGuard> sourceGuards = Map.of();
    boolean lossyLinksExcluded;
    TrafficConfig traffic = TrafficConfig.DEFAULT;
    TracerouteConfig traceroute = TracerouteConfig.DEFAULT;

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Values values;

  /**
   * A configuration that asks for weights as exact as tables allow and excludes nothing.
   *
   * @param switchIdOfDatapath OpenFlow datapath id to switch id of {@code intended}
   */
  public EngineConfig(
      Fabric intended, Map<Long, String> switchIdOfDatapath, WeightRule weightRule) {
    values = new Values();
    values.intended = intended;
    values.switchIdOfDatapath = Collections.unmodifiableMap(new TreeMap<>(switchIdOfDatapath));
    values.weightRule = weightRule;
  }

  private EngineConfig(Values values) {
    this.values = values;
  }

  /** The same with some values replaced. */
  private EngineConfig with(Consumer<Values> change) {
    Values changed = values.copy();
    change.accept(changed);
    return new EngineConfig(changed);
  }

  /**
   * Nothing known beforehand: every switch is named after its datapath id, in stage 1, and every
   * link that is discovered carries traffic.
   */
  public static EngineConfig empty() {
    return new EngineConfig(new FabricBuilder().build(), Map.of(), WeightRule.DEFAULT)
        .withLinksDiscovered();
  }

  public Fabric intended() {
    return values.intended;
  }

  /** The datapath ids that are named, and their switches' ids. */
  public Map<Long, String> switchIdOfDatapath() {
    return values.switchIdOfDatapath;
  }

  /**
   * Whether every link that probes find carries traffic. Otherwise only the links of {@link
   * #intended} do, because anybody at two edge ports can relay probes between them.
   */
  public boolean linksDiscovered() {
    return values.linksDiscovered;
  }

  /** The same with links as discovered, whatever links are configured. */
  public EngineConfig withLinksDiscovered() {
    return with(next -> next.linksDiscovered = true);
  }

  public WeightRule weightRule() {
    return values.weightRule;
  }

  public EngineConfig withWeightRule(WeightRule rule) {
    return with(next -> next.weightRule = rule);
  }

  /**
   * The limit on the maximum oversubscription of a group (Tewari 2015, section 3.3.2, Equation
   * 3.3), at least 1: groups take no more table entries than they need for it. 1 asks for shares as
   * near to the ideal weights as the table allows.
   */
  public Ratio maxOversubscription() {
    return Ratio.of(values.maxOversubscription);
  }

  /** The same as the decimal that was configured. */
  public BigDecimal maxOversubscriptionDecimal() {
    return values.maxOversubscription;
  }

  /**
   * @param limit at least 1
   */
  public EngineConfig withMaxOversubscription(BigDecimal limit) {
    if (limit.compareTo(BigDecimal.ONE) < 0) {
      throw new IllegalArgumentException("maxOversubscription must be at least 1, not " + limit);
    }
    return with(next -> next.maxOversubscription = limit);
  }

  /**
   * Whether groups may leave member ports out, on switches of {@link #intended} that do not say so
   * themselves.
   */
  public LeaveOut leaveOut() {
    return values.leaveOut;
  }

  public EngineConfig withLeaveOut(LeaveOut leaveOut) {
    return with(next -> next.leaveOut = leaveOut);
  }

  /** Switches that are to carry no traffic although they are there, by id. */
  public SortedSet<String> excludedSwitches() {
    return Collections.unmodifiableSortedSet(values.excludedSwitches);
  }

  /** Links that are to carry no traffic although they are up, each by one of its two ends. */
  public SortedSet<SwitchPort> excludedLinks() {
    return Collections.unmodifiableSortedSet(values.excludedLinks);
  }

  /**
   * @param switchIds of switches
   * @param linkEnds one end stands for its link
   */
  public EngineConfig withExcluded(Collection<String> switchIds, Collection<SwitchPort> linkEnds) {
    return with(
        next -> {
          next.excludedSwitches = new TreeSet<>(switchIds);
          next.excludedLinks = new TreeSet<>(linkEnds);
        });
  }

  /** How links that fail often are kept out of traffic. */
  public DampingConfig damping() {
    return values.damping;
  }

  public EngineConfig withDamping(DampingConfig newDamping) {
    return with(next -> next.damping = newDamping);
  }

  /** How the switches watch links by themselves. */
  public BfdConfig bfd() {
    return values.bfd;
  }

  public EngineConfig withBfd(BfdConfig newBfd) {
    return with(next -> next.bfd = newBfd);
  }

  /** The reaction to foreign rules that harm traffic. */
  public ForeignRulePolicy foreignRules() {
    return values.foreignRules;
  }

  public EngineConfig withForeignRules(ForeignRulePolicy policy) {
    return with(next -> next.foreignRules = policy);
  }

  /** The switches that hold merged rules for neighbouring prefixes, by id. */
  public SortedSet<String> aggregating() {
    return Collections.unmodifiableSortedSet(values.aggregating);
  }

  public EngineConfig withAggregating(Collection<String> switchIds) {
    return with(next -> next.aggregating = new TreeSet<>(switchIds));
  }

  /** The certificates that are configured for switches, by id; others go by their datapath id. */
  public Map<String, SwitchCertificate> switchCertificates() {
    return values.switchCertificates;
  }

  public EngineConfig withSwitchCertificates(Map<String, SwitchCertificate> certificates) {
    return with(next -> next.switchCertificates = Map.copyOf(certificates));
  }

  /**
   * The largest IP packet that the link with this end must carry, in bytes: as configured, or
   * {@link #DEFAULT_MTU}.
   */
  public int mtuOf(SwitchPort linkEnd) {
    return values.linkMtus.getOrDefault(linkEnd, DEFAULT_MTU);
  }

  /** The links' MTUs that are configured, by either end. */
  public Map<SwitchPort, Integer> linkMtus() {
    return values.linkMtus;
  }

  public EngineConfig withLinkMtus(Map<SwitchPort, Integer> mtus) {
    return with(next -> next.linkMtus = Map.copyOf(mtus));
  }

  /** Which source addresses hosts of a configured prefix may use. */
  public SourceGuard sourceGuardOf(Ipv4Prefix prefix) {
    return values.sourceGuards.getOrDefault(prefix, SourceGuard.DEFAULT);
  }

  /**
   * @param guards of the prefixes whose guard is configured
   */
  public EngineConfig withSourceGuards(Map<Ipv4Prefix, SourceGuard> guards) {
    return with(next -> next.sourceGuards = Map.copyOf(guards));
  }

  /** Whether links that lose packets carry no traffic where there is another way. */
  public boolean excludesLossyLinks() {
    return values.lossyLinksExcluded;
  }

  public EngineConfig withLossyLinksExcluded(boolean excluded) {
    return with(next -> next.lossyLinksExcluded = excluded);
  }

  /** How the traffic matrix is measured, and weights follow it. */
  public TrafficConfig traffic() {
    return values.traffic;
  }

  /** Whether the traffic matrix is measured, if only because the strategy needs it. */
  public boolean measuresTraffic() {
    return values.traffic.enabled() || values.weightRule == WeightRule.TRAFFIC;
  }

  public EngineConfig withTraffic(TrafficConfig newTraffic) {
    return with(next -> next.traffic = newTraffic);
  }

  /** The source addresses of answers to packets with an expired TTL. */
  public TracerouteConfig traceroute() {
    return values.traceroute;
  }

  public EngineConfig withTraceroute(TracerouteConfig newTraceroute) {
    return with(next -> next.traceroute = newTraceroute);
  }

  /**
   * This configuration, if its strategy can do with what the switches' rules count.
   *
   * @throws FabricException if weights are to follow the traffic matrix where merged rules do not
   *     count what goes to each prefix
   */
  public EngineConfig requireCountable() {
    if (values.weightRule == WeightRule.TRAFFIC && !values.aggregating.isEmpty()) {
      throw new FabricException(
          "strategy",
          "\"traffic\" needs traffic counts for each prefix, and "
              + values.aggregating.first()
              + " merges their rules; leave \"aggregate\" out or take another strategy");
    }
    return this;
  }

  /** The configured id, or {@code of:} and 16 hex digits. */
  public String switchIdOf(long datapathId) {
    String configured = values.switchIdOfDatapath.get(datapathId);
    return configured != null ? configured : unnamed(datapathId);
  }

  /** The id of a switch that is not named: {@code of:} and 16 hex digits. */
  public static String unnamed(long datapathId) {
    return String.format(Locale.ROOT, "of:%016x", datapathId);
  }

  /** Whether an id is {@code of:} and 16 hex digits, as of a switch that is not named. */
  static boolean isUnnamed(String switchId) {
    return UNNAMED.matcher(switchId).matches();
  }

  /** Whether a switch of this id would have another if it connected now. */
  public boolean renames(String switchId) {
    return isUnnamed(switchId)
        ? !switchId.equals(switchIdOf(Long.parseUnsignedLong(switchId.substring(3), 16)))
        : !values.switchIdOfDatapath.containsValue(switchId) && intended().indexOf(switchId) < 0;
  }

  /** The names that datapath ids have here, and that those ids do not have in another one. */
  public Set<String> namesLostIn(EngineConfig other) {
    Set<String> lost = new TreeSet<>();
    values.switchIdOfDatapath.forEach(
        (datapath, name) -> {
          if (!other.switchIdOf(datapath).equals(name)) {
            lost.add(name);
          }
        });
    return lost;
  }
}
