package org.evenweave.engine.audit;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.forwarding.AuditFinding;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.interference.ForeignWatch;
import org.evenweave.engine.links.LinkMonitor;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.ViewPublisher;

/**
 * One verification: reads all switches while no plan is being carried out. A switch that a plan
 * changes after it was read is read again. Belongs to the loop.
 */
final class VerificationRun {
  /** If switches are changed all the time it says what it read last, after 20 s. */
  private static final int MOST_ROUNDS = 1000;

  private final Audits audits;
  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final ViewPublisher views;
  private final ForeignWatch foreign;
  private final LinkMonitor links;
  private final boolean repairs;
  private final CompletableFuture<Verification> done;
  private final Map<String, AuditFinding> found = new TreeMap<>();
  private int rounds;

  /** What is repaired before the last switch was read must not look as if all were well. */
  private EngineView atFirstDrift;

  /**
   * @param repairs whether what drifted is repaired
   * @param done gets what was found; once it is done for other reasons, nothing more is read
   */
  VerificationRun(
      Audits audits,
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      ViewPublisher views,
      ForeignWatch foreign,
      LinkMonitor links,
      boolean repairs,
      CompletableFuture<Verification> done) {
    this.audits = audits;
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.views = views;
    this.foreign = foreign;
    this.links = links;
    this.repairs = repairs;
    this.done = done;
  }

  void proceed() {
    boolean isLast = ++rounds == MOST_ROUNDS;
    if (done.isDone() || audits.isClosed()) {
      return;
    }
    Set<String> left = new TreeSet<>(nib.snapshot().switchIds());
    left.removeIf(this::isSettled);
    if (left.isEmpty() || isLast) {
      finish();
    } else if (forwarding.busy()) {
      loop.schedule(this::proceed, Audits.OVERTAKEN_NANOS);
    } else {
      Audits.Reader reader = repairs ? audits::compare : forwarding::inspect;
      Audits.readAll(left, reader, this::add, this::proceed);
    }
  }

  private void finish() {
    EngineView view = atFirstDrift == null ? views.view() : atFirstDrift;
    ReadBack read = readBack();
    Map<String, SwitchTables> held = new HashMap<>(view.installed());
    held.putAll(read.tables());
    done.complete(new Verification(view, read, foreign.report(held), links.carried(held)));
  }

  private boolean isSettled(String switchId) {
    AuditFinding finding = found.get(switchId);
    return finding != null
        && finding.kind() != AuditFinding.Kind.OVERTAKEN
        && (finding.kind() != AuditFinding.Kind.AS_INSTALLED
            || forwarding.holds(switchId, finding.tables()));
  }

  private void add(String switchId, AuditFinding finding) {
    found.put(switchId, finding);
    if (finding.kind() != AuditFinding.Kind.DRIFTED) {
      return;
    }
    if (!repairs) {
      audits.noteUnrepaired(switchId);
    } else if (atFirstDrift == null) {
      atFirstDrift = views.view();
    }
  }

  private ReadBack readBack() {
    Map<String, SwitchTables> tables = new TreeMap<>();
    Map<String, String> failures = new TreeMap<>();
    found.forEach(
        (id, finding) -> {
          if (finding.kind() == AuditFinding.Kind.UNREAD) {
            failures.put(id, finding.problem());
          } else {
            tables.put(id, finding.tables());
          }
        });
    Snapshot snapshot = nib.snapshot();
    for (String id : snapshot.forwardingIds()) {
      if (!tables.containsKey(id)
          && forwarding.tables(id) == null
          && snapshot.canForward(snapshot.fabric().indexOf(id))) {
        failures.putIfAbsent(id, "it is not connected, and did not confirm its last change");
      }
    }
    return new ReadBack(tables, failures);
  }
}
