package org.evenweave.engine.metrics;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.Engine;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventObserver;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.interference.Effect;
import org.evenweave.engine.interference.ForeignFinding;
import org.evenweave.engine.links.LinkReport;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Scrape;
import org.evenweave.metrics.Source;
import org.evenweave.metrics.Timings;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;

/**
 * An engine's metrics. A scrape reads the latest {@link EngineView} and counters, and never waits
 * for the engine's loop. It takes time in proportion to switches and groups; series are per switch
 * at most, never per link, port, host or group.
 */
public final class EngineMetrics implements Source {
  private static final int BITS_PER_BYTE = 8;

  /** From a change of one switch to what an operator waits for. */
  private static final double[] CONFIRMATION_SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
  };

  private static final double[] STAGE_SECONDS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final Engine engine;
  private final Confirmations confirmations = new Confirmations();

  /** From now on times are observed: one of these for an engine. */
  public EngineMetrics(Engine engine) {
    this.engine = engine;
    engine.events().observe(confirmations);
  }

  /** Counts on the engine's loop; read by scrapes. */
  private static final class Confirmations implements EventObserver {
    final Timings byKind = new Timings(EngineFamilies.CONFIRMATION, CONFIRMATION_SECONDS);
    final Timings byStage = new Timings(EngineFamilies.STAGE, STAGE_SECONDS);
    private long plans;
    private long groups;
    private long rules;

    @Override
    public void eventConfirmed(Event.Kind kind, long nanos) {
      byKind.observe(kind.text(), nanos);
    }

    @Override
    public synchronized void planConfirmed(
        int groupsChanged, int flowsChanged, Map<String, Long> stageNanos) {
      plans++;
      groups += groupsChanged;
      rules += flowsChanged;
      stageNanos.forEach(byStage::observe);
    }

    synchronized void collect(Scrape scrape) {
      scrape.set(EngineFamilies.PLANS, plans);
      scrape.set(EngineFamilies.GROUPS_CHANGED, groups);
      scrape.set(EngineFamilies.RULES_CHANGED, rules);
      byKind.collect(scrape);
      byStage.collect(scrape);
    }
  }

  @Override
  public List<Family> families() {
    return EngineFamilies.ALL;
  }

  @Override
  public void collect(Scrape scrape) {
    EngineView view = engine.view();
    for (Event.Kind kind : Event.Kind.values()) {
      scrape.set(EngineFamilies.EVENTS, engine.events().count(kind), kind.text());
      scrape.set(EngineFamilies.CONFIRMED, engine.events().confirmedCount(kind), kind.text());
    }
    confirmations.collect(scrape);
    scrape.set(EngineFamilies.RETRIES, engine.retries());
    status(view.status(), scrape);
    scrape.set(EngineFamilies.STALLED, engine.watch().stalled().size());
    network(view, scrape);
    links(view.snapshot(), scrape);
    foreign(view, scrape);
    packets(scrape);
    scrape.set(
        EngineFamilies.MEASURED,
        engine.traffic().meter().demands().stream().mapToDouble(SwitchDemand::totalBps).sum()
            / BITS_PER_BYTE);
  }

  private static void status(FabricStatus status, Scrape scrape) {
    for (FabricStatus.State state : FabricStatus.State.values()) {
      scrape.set(EngineFamilies.STATE, state == status.state(), state.text());
    }
    scrape.set(EngineFamilies.CONFIRMED_NOW, status.confirmed());
    scrape.set(EngineFamilies.REASONS, status.reasons().size() + status.moreReasons());
    scrape.set(EngineFamilies.MISSING_SWITCHES, status.missingSwitches());
    scrape.set(EngineFamilies.MISSING_LINKS, status.missingLinks());
  }

  private static void network(EngineView view, Scrape scrape) {
    Snapshot snapshot = view.snapshot();
    scrape.set(EngineFamilies.SWITCHES, snapshot.switchIds().size());
    scrape.set(EngineFamilies.LINKS, snapshot.linkCount());
    scrape.set(EngineFamilies.HOSTS, snapshot.hosts().size());
    scrape.set(EngineFamilies.GROUPS, view.groupCount());
    scrape.set(
        EngineFamilies.OVERSUBSCRIPTION_LIMIT,
        view.configuration().maxOversubscriptionDecimal().doubleValue());
    snapshot.missingSwitches().forEach(id -> scrape.set(EngineFamilies.CONNECTED, false, id));
    for (String id : snapshot.switchIds()) {
      scrape.set(EngineFamilies.CONNECTED, true, id);
      tables(view, id, scrape);
    }
  }

  private static void tables(EngineView view, String id, Scrape scrape) {
    List<GroupState> groups = view.desired() == null ? List.of() : view.desired().groupsAt(id);
    double worst = groups.stream().mapToDouble(GroupState::oversubscription).max().orElse(1);
    scrape.set(EngineFamilies.OVERSUBSCRIPTION, worst, id);
    Limits limits = view.limits(id);
    Map<Limits.Kind, Integer> use = view.use(id);
    for (Limits.Kind kind : List.of(Limits.Kind.ENTRIES, Limits.Kind.GROUPS, Limits.Kind.RULES)) {
      scrape.set(EngineFamilies.TABLE_USED, use.get(kind), id, kind.fieldName());
      if (limits.of(kind) != Fabric.UNLIMITED) {
        scrape.set(EngineFamilies.TABLE_LIMIT, limits.of(kind), id, kind.fieldName());
      }
    }
  }

  private void links(Snapshot snapshot, Scrape scrape) {
    int lossy = 0;
    int slow = 0;
    int mtu = 0;
    for (LinkReport link : engine.links().links()) {
      lossy += link.isLossy() ? 1 : 0;
      slow += link.isSlow() ? 1 : 0;
      mtu += link.isMtuTooSmall() ? 1 : 0;
    }
    scrape.set(EngineFamilies.IMPAIRED_LINKS, engine.links().damping().links().size(), "damped");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, snapshot.avoidedLinks().size(), "avoided");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, snapshot.unexpectedLinks().size(), "unexpected");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, snapshot.trustedLinks().size(), "unverified");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, lossy, "lossy");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, slow, "slow");
    scrape.set(EngineFamilies.IMPAIRED_LINKS, mtu, "mtu-too-small");
  }

  private static void foreign(EngineView view, Scrape scrape) {
    for (Effect.Kind effect : Effect.Kind.values()) {
      long count = 0;
      for (ForeignFinding finding : view.foreign().findings()) {
        count += finding.effect().kind() == effect ? 1 : 0;
      }
      scrape.set(EngineFamilies.FOREIGN_RULES, count, effect.text());
    }
  }

  private void packets(Scrape scrape) {
    PacketCounts counts = engine.packets();
    scrape.set(EngineFamilies.PACKET_INS, counts.allHandled(), "handled");
    scrape.set(EngineFamilies.PACKET_INS, counts.allMalformed(), "malformed");
    scrape.set(EngineFamilies.PACKET_INS, counts.allDropped(), "dropped");
    scrape.set(EngineFamilies.EXPIRED, counts.allExpiredAnswered(), "answered");
    scrape.set(EngineFamilies.EXPIRED, counts.allExpiredLimited(), "limited");
    scrape.set(EngineFamilies.EXPIRED, counts.allExpiredUnanswered(), "unanswered");
    scrape.set(
        EngineFamilies.SOURCES_REFUSED,
        engine.refusedSources().dropped().values().stream().mapToLong(Long::longValue).sum());
  }
}
