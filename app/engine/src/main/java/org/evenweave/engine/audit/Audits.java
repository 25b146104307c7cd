package org.evenweave.engine.audit;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.AuditFinding;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.interference.ForeignWatch;
import org.evenweave.engine.links.LinkMonitor;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.RefusedSources;
import org.evenweave.engine.packets.SourceGuardWatch;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.status.ViewPublisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads switches back and notes those whose tables differ from what was installed: all switches
 * periodically and on request, and a switch at once if it reports the removal of a rule. The engine
 * repairs them in its next step. Belongs to the loop.
 */
public final class Audits {
  private static final Logger LOG = LoggerFactory.getLogger(Audits.class);

  /** Pause between two audits. */
  public static final long PAUSE_NANOS = 30_000_000_000L;

  /** Between two looks whether an audit is due: a pause that is changed applies so soon. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** Pause before a switch that was being changed is compared again. */
  static final long OVERTAKEN_NANOS = 20_000_000L;

  /** Pause before a switch that could not be read is read again. */
  static final long UNREAD_NANOS = 1_000_000_000L;

  /** Pause before a switch is compared whose rules somebody changes: others may follow. */
  static final long CHANGED_NANOS = 50_000_000L;

  /** Pause between two such comparisons of a switch, however often its rules are changed. */
  static final long CHANGED_AGAIN_NANOS = 2_000_000_000L;

  /** Reads one switch, and passes on what it found. */
  interface Reader {
    void read(String switchId, Consumer<AuditFinding> found);
  }

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final ViewPublisher views;
  private final LinkMonitor links;
  private final Changes changes;
  private final ForeignWatch foreign;
  private final RepeatedDrift repeated;
  private final SourceGuardWatch sources;

  /** By switch that is being compared out of turn, the rules whose removal it reported since. */
  private final Map<String, Map<String, FlowRule>> removedFrom = new HashMap<>();

  /** By switch whose rules somebody has changed, the earliest time to compare it. */
  private final Map<String, Long> changedUntilNanos = new HashMap<>();

  /**
   * Switches that a verification found not to be as installed, and that no audit has read since.
   */
  private final Set<String> unrepaired = new HashSet<>();

  private LongSupplier pauseNanos = () -> PAUSE_NANOS;

  /** When the regular audit was due last. */
  private long auditedNanos;

  private boolean closed;

  /**
   * @param views shows what was found
   * @param changes gets each switch that is not as installed
   */
  public Audits(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      SouthboundPort southbound,
      EventLog events,
      ViewPublisher views,
      LinkMonitor links,
      Changes changes) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.events = events;
    this.views = views;
    this.links = links;
    this.changes = changes;
    foreign =
        new ForeignWatch(
            loop, nib, forwarding, southbound, events, views::foreign, this::compareSoon);
    repeated = new RepeatedDrift(loop, events, views, foreign, this::compareSoon);
    sources = new SourceGuardWatch(loop, nib, southbound, events);
    forwarding.onRead(this::read);
    views.onShow(foreign::reconsider);
  }

  /** What switches dropped because of its source. Safe for many threads. */
  public RefusedSources refusedSources() {
    return sources.counts();
  }

  public void every(LongSupplier pause) {
    pauseNanos = pause;
  }

  public void start() {
    auditedNanos = loop.nanoTime();
    loop.schedule(this::regular, LOOK_NANOS);
  }

  public void close() {
    closed = true;
    repeated.close();
  }

  boolean isClosed() {
    return closed;
  }

  private void regular() {
    if (closed) {
      return;
    }
    loop.schedule(this::regular, LOOK_NANOS);
    if (loop.nanoTime() - auditedNanos < pauseNanos.getAsLong()) {
      return;
    }
    auditedNanos = loop.nanoTime();
    if (!forwarding.busy()) {
      List.copyOf(unrepaired).stream()
          .filter(switchId -> !nib.snapshot().isPresent(switchId))
          .forEach(this::noteAudited);
      compareAll(nib.snapshot().switchIds(), (switchId, finding) -> {}, () -> {});
    }
  }

  /**
   * Compares all switches now.
   *
   * @param found gets the switches that were not as installed and how each differed, once all have
   *     been read, or an {@link IllegalStateException} while a plan is in progress
   */
  private void now(CompletableFuture<SortedMap<String, String>> found) {
    if (forwarding.busy()) {
      found.completeExceptionally(new IllegalStateException("a plan is in progress"));
      return;
    }
    SortedMap<String, String> drifts = new TreeMap<>();
    compareAll(
        nib.snapshot().switchIds(),
        (switchId, finding) -> {
          if (finding.kind() == AuditFinding.Kind.DRIFTED) {
            drifts.put(switchId, finding.difference());
          }
        },
        // After what was read of others' rules has been judged.
        () -> loop.execute(() -> found.complete(drifts)));
  }

  /**
   * Audits all switches at once. Safe for many threads.
   *
   * @return the switches that were not as installed, and how each differed; fails with an {@link
   *     IllegalStateException} while a plan is in progress
   */
  public CompletableFuture<SortedMap<String, String>> now() {
    CompletableFuture<SortedMap<String, String>> drifted = new CompletableFuture<>();
    loop.execute(() -> now(drifted));
    return drifted;
  }

  /**
   * Reads all switches once no plan is in progress. Safe for many threads.
   *
   * @param repairs whether switches that differ are repaired, or left to the next audit
   */
  public CompletableFuture<Verification> verify(boolean repairs) {
    CompletableFuture<Verification> done = new CompletableFuture<>();
    VerificationRun run =
        new VerificationRun(this, loop, nib, forwarding, views, foreign, links, repairs, done);
    loop.execute(run::proceed);
    return done;
  }

  private void read(
      String switchId,
      SwitchTables believed,
      SwitchReading reading,
      boolean isFirst,
      long askedNanos) {
    foreign.found(switchId, reading.foreign(), askedNanos);
    sources.read(switchId, reading.refusedSources());
    boolean isEmptied =
        isFirst && believed != null && believed.routeCount() > 0 && reading.own().routeCount() == 0;
    if (isEmptied) {
      String subject =
          switchId
              + " held rules and reconnected without any: it restarted, or it was in standalone mode and"
              + " forwarded as a bridge (set fail_mode=secure)";
      LOG.warn("{}", subject);
      events.add(Event.Kind.TABLES_EMPTIED, subject, loop.nanoTime());
    }
  }

  /** Compares a switch, unless a plan is in progress, after which the next audit comes. */
  private void compareSoon(String switchId) {
    if (!closed && !forwarding.busy() && forwarding.knows(switchId)) {
      compareAll(Set.of(switchId), (id, finding) -> {}, () -> {});
    }
  }

  /** A switch reports that it no longer holds a rule, whoever removed it. */
  public void ruleRemoved(String switchId, FlowRule rule) {
    if (!forwarding.misses(switchId, rule)) {
      return;
    }
    Map<String, FlowRule> reported = removedFrom.get(switchId);
    if (reported != null) {
      reported.put(rule.key(), rule);
    } else {
      views.suspectDrift(switchId, "rules were removed, and its tables are being compared");
      compareUntilKnown(switchId);
    }
  }

  /** A switch reports that somebody else has changed some of its rules. */
  public void rulesChanged(String switchId) {
    long nowNanos = loop.nanoTime();
    Long before = changedUntilNanos.get(switchId);
    if (before == null || before <= nowNanos) {
      long pause = before == null ? 0 : before + CHANGED_AGAIN_NANOS - nowNanos;
      long atNanos = nowNanos + Math.max(CHANGED_NANOS, pause);
      changedUntilNanos.put(switchId, atNanos);
      loop.schedule(() -> compareChanged(switchId), atNanos - nowNanos);
    }
  }

  private void compareChanged(String switchId) {
    if (closed || !forwarding.knows(switchId)) {
      changedUntilNanos.remove(switchId);
    } else if (forwarding.busy()) {
      loop.schedule(() -> compareChanged(switchId), OVERTAKEN_NANOS);
    } else {
      compareAll(Set.of(switchId), (id, finding) -> {}, () -> {});
    }
  }

  /** Repeats the comparison of a switch until its result is known or the switch is gone. */
  private void compareUntilKnown(String switchId) {
    if (closed || !forwarding.knows(switchId)) {
      removedFrom.remove(switchId);
      views.clearSuspicion(switchId);
    } else if (forwarding.busy()) {
      removedFrom.computeIfAbsent(switchId, id -> new HashMap<>());
      loop.schedule(() -> compareUntilKnown(switchId), OVERTAKEN_NANOS);
    } else {
      removedFrom.put(switchId, new HashMap<>());
      forwarding.audit(switchId, finding -> outOfTurn(switchId, finding));
    }
  }

  private void outOfTurn(String switchId, AuditFinding finding) {
    note(switchId, finding);
    boolean isKnown =
        finding.kind() == AuditFinding.Kind.AS_INSTALLED
            || finding.kind() == AuditFinding.Kind.DRIFTED;
    boolean removedSince =
        removedFrom.get(switchId).values().stream()
            .anyMatch(rule -> forwarding.misses(switchId, rule));
    if (isKnown && !removedSince) {
      removedFrom.remove(switchId);
      views.clearSuspicion(switchId);
    } else {
      boolean isUnread = finding.kind() == AuditFinding.Kind.UNREAD;
      loop.schedule(() -> compareUntilKnown(switchId), isUnread ? UNREAD_NANOS : OVERTAKEN_NANOS);
    }
  }

  /**
   * Compares switches and repairs what drifted.
   *
   * @param each gets what was found of each switch
   * @param end runs after the last of them
   */
  private void compareAll(
      Collection<String> switchIds, BiConsumer<String, AuditFinding> each, Runnable end) {
    readAll(switchIds, this::compare, each, end);
  }

  /** Compares a switch and repairs it if it drifted. */
  void compare(String switchId, Consumer<AuditFinding> found) {
    forwarding.audit(
        switchId,
        finding -> {
          note(switchId, finding);
          if (finding.kind() == AuditFinding.Kind.UNREAD && !removedFrom.containsKey(switchId)) {
            removedFrom.put(switchId, new HashMap<>());
            loop.schedule(() -> compareUntilKnown(switchId), UNREAD_NANOS);
          }
          found.accept(finding);
        });
  }

  /**
   * Reads switches.
   *
   * @param each gets what was found of each switch
   * @param end runs after the last of them
   */
  static void readAll(
      Collection<String> switchIds,
      Reader reader,
      BiConsumer<String, AuditFinding> each,
      Runnable end) {
    Set<String> awaited = new HashSet<>(switchIds);
    if (awaited.isEmpty()) {
      end.run();
    }
    for (String switchId : switchIds) {
      reader.read(
          switchId,
          finding -> {
            each.accept(switchId, finding);
            awaited.remove(switchId);
            if (awaited.isEmpty()) {
              end.run();
            }
          });
    }
  }

  /** A verification found a switch not to be as installed, and leaves it so. */
  void noteUnrepaired(String switchId) {
    if (!removedFrom.containsKey(switchId)) {
      unrepaired.add(switchId);
      views.suspectDrift(
          switchId, "its tables differ from the installed ones; the next audit repairs them");
    }
  }

  private void noteAudited(String switchId) {
    if (unrepaired.remove(switchId) && !removedFrom.containsKey(switchId)) {
      views.clearSuspicion(switchId);
    }
  }

  private void note(String switchId, AuditFinding finding) {
    if (finding.kind() == AuditFinding.Kind.AS_INSTALLED
        || finding.kind() == AuditFinding.Kind.DRIFTED) {
      noteAudited(switchId);
    }
    if (finding.kind() == AuditFinding.Kind.DRIFTED) {
      views.drifted(switchId);
      String difference = finding.difference();
      events.add(Event.Kind.DRIFT, switchId, difference, loop.nanoTime());
      LOG.warn("{}: repairs tables that differ: {}", switchId, difference);
      repeated.drifted(switchId, finding);
      changes.changed();
    } else if (finding.kind() == AuditFinding.Kind.UNREAD && forwarding.knows(switchId)) {
      views.suspectDrift(switchId, "its tables cannot be read: " + finding.problem());
    }
  }
}
