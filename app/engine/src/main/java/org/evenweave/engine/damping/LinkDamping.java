package org.evenweave.engine.damping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.config.DampingConfig;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes links that flap out of the groups, so that they cost neither packets nor computations at
 * each further failure (Tewari 2015, section 3.5), and back when they have been up for long enough
 * ({@link DampingConfig}). The first failures are answered, and repairs used, like any other.
 *
 * <p>Failures of links are counted, whatever shows them: a port that goes down, or probes that stop
 * arriving. Not those of switches: a link is not to blame if a switch at its end has died, nor if
 * another fabric is configured.
 *
 * <p>Belongs to the engine's loop, except for methods that are documented as safe for many threads.
 */
public final class LinkDamping {
  private static final Logger LOG = LoggerFactory.getLogger(LinkDamping.class);

  /** A penalty below that part of reuse is forgotten. */
  private static final double FORGOTTEN = 0.5;

  private static final long NEVER = Long.MAX_VALUE;

  private final EngineLoop loop;
  private final Nib nib;
  private final EventLog events;
  private final Changes changes;

  /** By link, which is named by the lesser of its ends. */
  private final Map<SwitchPort, Penalty> penalties = new HashMap<>();

  /** In the same way. */
  private final TreeMap<SwitchPort, DampedLink> damped = new TreeMap<>();

  private Snapshot followed;
  private EngineConfig followedConfig;
  private long nextReviewNanos = NEVER;
  private volatile List<DampedLink> view = List.of();

  /**
   * @param changes gets the release of links
   */
  public LinkDamping(EngineLoop loop, Nib nib, EventLog events, Changes changes) {
    this.loop = loop;
    this.nib = nib;
    this.events = events;
    this.changes = changes;
    followed = nib.snapshot();
    followedConfig = nib.config();
  }

  /** The links that are damped, by their ends. Safe for many threads. */
  public List<DampedLink> links() {
    return view;
  }

  /** How long it is until a link is released, if it does not fail again. Safe for many threads. */
  public long nanosToRelease(DampedLink link) {
    return Math.max(0, link.releaseAtNanos() - loop.nanoTime());
  }

  /**
   * Releases a link by hand, and forgets its penalty; soon, and only if it is damped then. Safe for
   * many threads.
   *
   * @param end either of its ends
   */
  public void release(SwitchPort end) {
    loop.execute(() -> releaseNow(end));
  }

  /** Counts the links that have failed since the snapshot before, and damps those to be damped. */
  public void follow(Snapshot now) {
    Snapshot before = followed;
    EngineConfig config = nib.config();
    boolean sameFabric =
        config.intended() == followedConfig.intended()
            && config.linksDiscovered() == followedConfig.linksDiscovered();
    boolean sameDamping = config.damping().equals(followedConfig.damping());
    followed = now;
    followedConfig = config;
    if (!config.damping().enabled()) {
      penalties.clear();
      release(List.copyOf(damped.keySet()));
      return;
    }
    if (sameFabric) {
      before.linksOnlyUpHere(now).forEach(link -> countFailure(before.physical(), link, now));
    }
    if (!sameDamping) {
      review();
    }
  }

  private void countFailure(Fabric fabric, int link, Snapshot now) {
    if (!forwards(fabric.switchId(fabric.from(2 * link)), now)
        || !forwards(fabric.switchId(fabric.to(2 * link)), now)) {
      return;
    }
    DampingConfig config = nib.config().damping();
    long nowNanos = loop.nanoTime();
    SwitchPort a = fabric.end(2 * link);
    SwitchPort b = fabric.end(2 * link + 1);
    SwitchPort end = a.compareTo(b) < 0 ? a : b;
    Penalty penalty = penalties.computeIfAbsent(end, any -> new Penalty());
    penalty.add(config, nowNanos);
    if (damped.containsKey(end)) {
      publish();
    } else if (penalty.at(config, nowNanos) >= config.suppress()) {
      damp(end, new DampedLink(a, b, 0, 0), penalty);
    }
    scheduleReview(penalty.reachesNanos(FORGOTTEN * config.reuse(), config));
  }

  private static boolean forwards(String switchId, Snapshot now) {
    int s = now.physical().indexOf(switchId);
    return s >= 0 && now.forwards(s);
  }

  private void damp(SwitchPort end, DampedLink link, Penalty penalty) {
    LOG.warn(
        "{} {}: it has failed {} times",
        Event.Kind.LINK_DAMPED.text(),
        link.link(),
        penalty.failures());
    damped.put(end, link);
    events.add(Event.Kind.LINK_DAMPED, link.link(), loop.nanoTime());
    nib.damp(damped.keySet());
    scheduleReview(penalty.reachesNanos(nib.config().damping().reuse(), nib.config().damping()));
    publish();
  }

  private void releaseNow(SwitchPort end) {
    for (Map.Entry<SwitchPort, DampedLink> link : damped.entrySet()) {
      if (link.getValue().hasEnd(end)) {
        penalties.remove(link.getKey());
        release(List.of(link.getKey()));
        changes.changed();
        return;
      }
    }
  }

  private void release(List<SwitchPort> ends) {
    for (SwitchPort end : ends) {
      String name = damped.remove(end).link();
      LOG.info("{} {}", Event.Kind.LINK_RELEASED.text(), name);
      events.add(Event.Kind.LINK_RELEASED, name, loop.nanoTime());
    }
    if (!ends.isEmpty()) {
      nib.damp(damped.keySet());
      publish();
    }
  }

  /** Releases the links whose penalty has decayed, and forgets penalties that hardly matter. */
  private void review() {
    DampingConfig config = nib.config().damping();
    long nowNanos = loop.nanoTime();
    if (nextReviewNanos <= nowNanos) {
      nextReviewNanos = NEVER;
    }
    List<SwitchPort> due = new ArrayList<>();
    penalties.forEach(
        (end, penalty) -> {
          if (damped.containsKey(end) && penalty.reachesNanos(config.reuse(), config) <= nowNanos) {
            due.add(end);
          }
        });
    release(due);
    penalties
        .values()
        .removeIf(penalty -> penalty.reachesNanos(FORGOTTEN * config.reuse(), config) <= nowNanos);
    penalties.forEach(
        (end, penalty) ->
            scheduleReview(
                penalty.reachesNanos(
                    damped.containsKey(end) ? config.reuse() : FORGOTTEN * config.reuse(),
                    config)));
    if (!due.isEmpty()) {
      changes.changed();
    }
  }

  /** A review that is not needed any more does no harm. */
  private void scheduleReview(long atNanos) {
    if (atNanos < nextReviewNanos) {
      nextReviewNanos = atNanos;
      loop.schedule(this::review, Math.max(0, atNanos - loop.nanoTime()));
    }
  }

  private void publish() {
    DampingConfig config = nib.config().damping();
    damped.replaceAll(
        (end, link) -> {
          Penalty penalty = penalties.get(end);
          return link.with(penalty.failures(), penalty.reachesNanos(config.reuse(), config));
        });
    view = List.copyOf(damped.values());
  }
}
