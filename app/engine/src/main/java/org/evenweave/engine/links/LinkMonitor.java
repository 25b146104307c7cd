package org.evenweave.engine.links;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.evenweave.engine.damping.LinkDamping;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Monitors links and ports that are not simply up or down: links that flap ({@link LinkDamping}),
 * that lose packets or carry small ones only ({@link LinkQuality}), ports that may not forward
 * ({@link PortWatch}), and ports that are slower than configured ({@link PortSpeeds}). Every round
 * it reads the counters of all ports and probes all links.
 *
 * <p>Belongs to the engine's loop, except for methods that are documented as safe for many threads.
 */
public final class LinkMonitor {
  /** Between two rounds. */
  static final long ROUND_NANOS = 2_000_000_000L;

  /** So many links are measured in a round, at most; of more, others in the next one. */
  static final int LINKS_IN_ROUND = 1000;

  /** Further links are not measured: what is known of one takes up to 5 KB. */
  static final int MOST_LINKS = 20_000;

  /** So many links are probed at once, so that the engine is not occupied for long. */
  private static final int LINKS_AT_ONCE = 50;

  /** In which all links of a round are probed; half of it for probes to arrive. */
  private static final long PROBING_NANOS = ROUND_NANOS / 2;

  private final EngineLoop loop;
  private final Nib nib;
  private final Consumer<List<String>> reasons;
  private final LinkDamping damping;
  private final PortWatch ports;
  private final PortSpeeds speeds;
  private final LinkProbes probes;
  private final PortSweeps sweeps;
  private final LinkQuality quality;
  private final PortRates rates = new PortRates();
  private List<String> reported = List.of();
  private int part;
  private boolean closed;
  private volatile List<LinkReport> links = List.of();
  private volatile Map<SwitchPort, PortSettings> settings = Map.of();

  /**
   * @param changes gets that other links are to carry traffic
   * @param reasons gets what is wrong now, a sentence each, whenever that is something else
   */
  public LinkMonitor(
      EngineLoop loop,
      Nib nib,
      EventLog events,
      SouthboundPort southbound,
      Changes changes,
      Consumer<List<String>> reasons) {
    this.loop = loop;
    this.nib = nib;
    this.reasons = reasons;
    damping = new LinkDamping(loop, nib, events, changes);
    ports = new PortWatch(nib, events);
    speeds = new PortSpeeds(nib, events);
    probes = new LinkProbes(southbound, end -> nib.config().mtuOf(end), loop::nanoTime);
    sweeps = new PortSweeps(loop, southbound::countPorts);
    quality = new LinkQuality(loop, nib, events, probes, changes);
  }

  /** Begins to measure. */
  public void start() {
    loop.schedule(this::round, ROUND_NANOS);
  }

  public void close() {
    closed = true;
  }

  /** The links that are damped, and their release by hand. */
  public LinkDamping damping() {
    return damping;
  }

  /** The links that are up, as of the latest round. Safe for many threads. */
  public List<LinkReport> links() {
    return links;
  }

  /** The ports of which anything is set, in order. Safe for many threads. */
  public Map<SwitchPort, PortSettings> portSettings() {
    return settings;
  }

  /**
   * What keeps packets from their destinations although the tables are right.
   *
   * @param tables what the switches hold, by switch id
   */
  public List<CarriageFault> carried(Map<String, SwitchTables> tables) {
    List<CarriageFault> carried = new ArrayList<>(ports.blocked());
    carried.addAll(quality.carried(tables));
    return carried;
  }

  /** As {@link org.evenweave.engine.port.TopologyListener#portSettings}. */
  public void portSettings(SwitchPort port, PortSettings now, boolean withheld, long atNanos) {
    ports.settings(port, now, withheld, atNanos);
    settings = ports.all();
    report();
  }

  /** The NIB has news of a port. */
  public void portChanged(SwitchPort port, long atNanos) {
    speeds.changed(port, atNanos);
    report();
  }

  /**
   * A frame came to the controller.
   *
   * @return whether it is a probe of a link, and nobody else's business
   */
  public boolean received(SwitchPort at, byte[] frame) {
    return probes.received(at, frame);
  }

  /** Another snapshot is in force, or another configuration. */
  public void follow(Snapshot now) {
    damping.follow(now);
    quality.follow();
    speeds.follow(loop.nanoTime());
    report();
  }

  private void round() {
    if (closed) {
      return;
    }
    loop.schedule(this::round, ROUND_NANOS);
    Fabric fabric = nib.snapshot().physical();
    int count = Math.min(fabric.linkCount(), MOST_LINKS);
    int parts = Math.max(1, (count + LINKS_IN_ROUND - 1) / LINKS_IN_ROUND);
    part = (part + 1) % parts;
    int first = part * LINKS_IN_ROUND;
    measure(first, Math.min(count, first + LINKS_IN_ROUND), parts * ROUND_NANOS);
  }

  /**
   * @param periodNanos until the same links are measured again
   */
  private void measure(int firstLink, int endLink, long periodNanos) {
    Snapshot now = nib.snapshot();
    List<LinkDirection> up = new ArrayList<>();
    List<LinkDirection> down = new ArrayList<>();
    for (int arc = 2 * firstLink; arc < 2 * endLink; arc++) {
      (isMeasured(now, arc) ? up : down).add(LinkDirection.of(now.physical(), arc));
    }
    quality.measuring(up, down);
    probes.nextRound(down, quality);
    for (int i = 0; i < up.size(); i += 2 * LINKS_AT_ONCE) {
      List<LinkDirection> some = up.subList(i, Math.min(up.size(), i + 2 * LINKS_AT_ONCE));
      loop.schedule(() -> probe(some), PROBING_NANOS * i / up.size());
    }
    Set<String> switchIds = new TreeSet<>();
    up.forEach(direction -> switchIds.add(direction.from.switchId()));
    sweeps.read(
        switchIds,
        reading -> {
          if (!closed) {
            quality.measured(up, reading, periodNanos);
            reading.forEach(rates::add);
            Set<String> late = new TreeSet<>(switchIds);
            late.removeAll(reading.switchIds());
            nib.portLoad().follow(rates.busy(), late);
            links = quality.reports();
            report();
          }
        });
  }

  private void probe(List<LinkDirection> some) {
    if (!closed) {
      probes.send(some);
    }
  }

  /** Whether the arc's link is up, and both its switches are connected. */
  private static boolean isMeasured(Snapshot now, int arc) {
    Fabric fabric = now.physical();
    return fabric.isUp(arc >> 1)
        && now.isPresent(fabric.from(arc))
        && now.isPresent(fabric.to(arc));
  }

  private void report() {
    List<String> now = new ArrayList<>();
    ports.blocked().forEach(fault -> now.add(fault.toString()));
    now.addAll(quality.reasons());
    if (!now.equals(reported)) {
      reported = now;
      reasons.accept(now);
    }
  }
}
