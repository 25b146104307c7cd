package org.evenweave.sdd.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.fastpass.Order;
import org.evenweave.sdd.fastpass.PathSelection;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.IpAddress;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.SharedClock;

/** The configuration of an SDD controller; read by {@link SddConfigReader}. Immutable once read. */
public final class SddConfig {
  static final String WEIGHTED_SHARES = "weightedShares";

  /** How schedules reach the hosts (Tewari 2015, section 5.5). */
  public enum Loop {
    /** START and STOP as each slot begins and ends: REACToR. */
    TIGHT,
    /** Slots ahead of time: FastPass. */
    LOOSE
  }

  InetSocketAddress listen;
  Path keys;
  boolean standby;
  final List<InetSocketAddress> controllers = new ArrayList<>();
  Directory directory;
  SharedClock clock;
  CircuitNetwork network;
  Loop loop;
  String schedulerName;
  String orderName;
  Scheduler scheduler;
  long nightNs;
  long guardNs;
  long shortestSlotNs;
  long packetBps;
  long hybridBps;
  int hostsPerRack;

  /** Between two racks; 0: there are no racks. */
  int paths;

  final List<String> rackSwitches = new ArrayList<>();
  final List<String> coreSwitches = new ArrayList<>();
  long packetDelayNs;
  int lostAfterPeriods;
  int takeOverAfterPeriods;
  SafePolicy safePolicy;
  long safeRateBps;
  final List<CircuitClass> circuitClasses = new ArrayList<>();
  SharingConfig sharing;
  TriggersConfig triggers;
  final List<String> edgeHosts = new ArrayList<>();
  final Map<String, IpAddress> edgeAddresses = new LinkedHashMap<>();
  EdgeOrder edgeOrder;

  /** Of {@code tdma} and {@code fastpass}. */
  long slotNs;

  String commonDigest;
  final List<FlowMatch> packetFlows = new ArrayList<>();

  SddConfig() {}

  /** Where hosts and the circuit switch connect. */
  public InetSocketAddress listen() {
    return listen;
  }

  /** The folder of the controller's keys. */
  public Path keys() {
    return keys;
  }

  /** Whether it leads only once hosts have nobody else. */
  public boolean standby() {
    return standby;
  }

  /** Where all controllers of these hosts listen, or all others. */
  public List<InetSocketAddress> controllers() {
    return List.copyOf(controllers);
  }

  public Directory directory() {
    return directory;
  }

  public SharedClock clock() {
    return clock;
  }

  /**
   * What schedules are made for: its week is the period, its night the switch's and a guard before
   * and after, so that its days are slots. Its packet switch has {@link #hybridBps}.
   */
  public CircuitNetwork network() {
    return network;
  }

  /** A planner of what takes the packet switch, one for each use; null without hybrid. */
  public PacketPlan packetPlan() {
    return hybridBps == 0 ? null : new PacketPlan(network, packetDelayNs);
  }

  /** Paths between racks, one for each use; null if hosts are in none. */
  public PathSelection pathSelection() {
    return paths == 0 ? null : new PathSelection(directory.count(), hostsPerRack, paths);
  }

  /** Each rack's switch by its name in the fabric's configuration; none if they are not named. */
  public List<String> rackSwitches() {
    return List.copyOf(rackSwitches);
  }

  /** The switch of each path in the core, named where those of racks are. */
  public List<String> coreSwitches() {
    return List.copyOf(coreSwitches);
  }

  public Loop loop() {
    return loop;
  }

  public String schedulerName() {
    return schedulerName;
  }

  /** Whose turn it is first: the name of an {@link Order}; null if the scheduler has none. */
  public String orderName() {
    return orderName;
  }

  /** Whether circuit classes get circuits by their weights. */
  public boolean sharesByWeight() {
    return WEIGHTED_SHARES.equals(orderName);
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  /** How long the circuit switch is dark. */
  public long nightNs() {
    return nightNs;
  }

  /** How long circuits are up before and after the slots in them. */
  public long guardNs() {
    return guardNs;
  }

  /** No pair with demand gets less, so that hosts have the time to react. */
  public long shortestSlotNs() {
    return shortestSlotNs;
  }

  /** The limit of each host's packet queue, 0 for none. */
  public long packetBps() {
    return packetBps;
  }

  /**
   * What each host may send through the packet switch, and get, of what waits for circuits: 0 if it
   * has to wait.
   */
  public long hybridBps() {
    return hybridBps;
  }

  /** How much longer a packet is in flight by the packet switch than by a circuit, at most. */
  public long packetDelayNs() {
    return packetDelayNs;
  }

  public int lostAfterPeriods() {
    return lostAfterPeriods;
  }

  /**
   * 2 to {@link #lostAfterPeriods}: hosts that hear nothing for so long want one that stands by.
   */
  public int takeOverAfterPeriods() {
    return takeOverAfterPeriods;
  }

  public SafePolicy safePolicy() {
    return safePolicy;
  }

  public long safeRateBps() {
    return safeRateBps;
  }

  /** Flows with queues for circuits of their own: class 1 and on. */
  public List<CircuitClass> circuitClasses() {
    return List.copyOf(circuitClasses);
  }

  /** What a scheduler looks at, without demand. */
  public Observed nothingObserved() {
    List<DemandClass> demands = new ArrayList<>();
    circuitClasses.forEach(each -> demands.add(each.demand()));
    return new Observed(directory.count(), demands);
  }

  /** The classes that share each host's bandwidth through the packet switch at first. */
  public SharingConfig sharing() {
    return sharing;
  }

  /** What hosts watch at first, and what follows. */
  public TriggersConfig triggers() {
    return triggers;
  }

  /** The hosts whose edges may connect. */
  public List<String> edgeHosts() {
    return List.copyOf(edgeHosts);
  }

  /** Of edges to which the controller hands out keys, their addresses in the outer header. */
  public Map<String, IpAddress> edgeAddresses() {
    return Map.copyOf(edgeAddresses);
  }

  /** What is ordered of edges at first. */
  public EdgeOrder edgeOrder() {
    return edgeOrder;
  }

  /** The same at controllers that agree in all that those of the same hosts must agree in. */
  public String commonDigest() {
    return commonDigest;
  }

  /** Flows between hosts that go through the packet switch. */
  public List<FlowMatch> packetFlows() {
    return List.copyOf(packetFlows);
  }
}
