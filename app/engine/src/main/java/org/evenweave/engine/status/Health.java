package org.evenweave.engine.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;

/**
 * The inputs of the fabric's status: the result of the latest plan, the switches known or suspected
 * to differ from what was installed, and the NIB. Owned by the engine's loop.
 */
public final class Health {
  private final Nib nib;
  private final BooleanSupplier hasUnplannedChange;
  private final ConfiguredLinks configuredLinks = new ConfiguredLinks();
  private final Map<String, String> drifted = new TreeMap<>();
  private final Map<String, String> suspected = new TreeMap<>();
  private boolean planned;
  private boolean confirmed;
  private boolean lacksFlows;
  private List<String> problems = List.of();
  private List<String> runtimeProblems = List.of();
  private List<String> links = List.of();
  private List<String> foreign = List.of();
  private List<String> contested = List.of();
  private final Map<String, List<String>> outside = new TreeMap<>();
  private final Map<String, String> barred = new TreeMap<>();

  /**
   * @param hasUnplannedChange whether there is a change for which no plan has begun yet
   */
  public Health(Nib nib, BooleanSupplier hasUnplannedChange) {
    this.nib = nib;
    this.hasUnplannedChange = hasUnplannedChange;
  }

  /**
   * A plan is in progress.
   *
   * @param withoutFlows whether another one follows, when flows have been computed
   */
  public void planning(boolean withoutFlows) {
    lacksFlows = withoutFlows;
    planned = true;
    confirmed = false;
    problems = List.of();
  }

  /**
   * Installed rules are kept as they were found, because they send to switches and ports of which
   * nothing is known yet. That may take forever, so it counts as a problem.
   *
   * @param withoutFlows whether they are kept until flows have been computed, too
   */
  void adopting(Snapshot snapshot, boolean withoutFlows) {
    boolean nothingFound = snapshot.switchIds().isEmpty();
    lacksFlows = withoutFlows && !nothingFound;
    List<String> awaited = new ArrayList<>(snapshot.awaitedSwitches());
    snapshot.awaitedPorts().forEach(port -> awaited.add(port.toString()));
    planned = true;
    confirmed = false;
    problems = List.of();
    if (!awaited.isEmpty()) {
      problems =
          List.of("installed rules are kept until these are found: " + String.join(", ", awaited));
    } else if (nothingFound) {
      problems = List.of("no switch is connected");
    }
  }

  /**
   * A plan was carried out.
   *
   * @param isLatest whether nothing has changed since it was made
   */
  void confirmed(boolean isLatest) {
    confirmed = isLatest;
    drifted.clear();
  }

  /** The switches cannot be brought to what is wanted; a sentence for each reason. */
  void failed(List<String> newProblems) {
    planned = true;
    confirmed = false;
    problems = List.copyOf(newProblems);
  }

  /** Records that a switch's tables differ from the installed ones. */
  void drifted(String switchId) {
    drifted.put(switchId, switchId + ": tables are not as installed, and are being repaired");
  }

  /** Records that a switch may not hold the installed tables, with the reason. */
  void suspectDrift(String switchId, String why) {
    suspected.put(switchId, switchId + ": " + why);
  }

  /** Ends {@link #suspectDrift} for a switch. */
  void clearSuspicion(String switchId) {
    suspected.remove(switchId);
  }

  /** What endangers the tables whatever the plan; a sentence for each reason. */
  void runtimeProblems(List<String> newProblems) {
    runtimeProblems = List.copyOf(newProblems);
  }

  /** What is wrong with links and ports that are there, a sentence on each. */
  void links(List<String> reasons) {
    links = List.copyOf(reasons);
  }

  /** What is wrong outside forwarding now as far as one source knows, a sentence on each. */
  void outside(String source, List<String> reasons) {
    outside.put(source, List.copyOf(reasons));
  }

  /**
   * A switch that counts as not connected is there, and cannot be programmed.
   *
   * @param reason a sentence; empty if it is over
   */
  void barred(String switchId, String reason) {
    if (reason.isEmpty()) {
      barred.remove(switchId);
    } else {
      barred.put(switchId, reason);
    }
  }

  /** Which rules somebody else changes again and again, a sentence each. */
  void contested(List<String> reasons) {
    contested = List.copyOf(reasons);
  }

  /** What others' rules do to the fabric's traffic, a sentence each. */
  void foreign(List<String> reasons) {
    foreign = List.copyOf(reasons);
  }

  /** What follows from all of it under a configuration. */
  public FabricStatus status(EngineConfig config) {
    configuredLinks.follow(config.intended(), nib.snapshot());
    MissingParts missing = MissingParts.of(config, nib, configuredLinks, barred);
    List<String> pending = new ArrayList<>();
    if (!planned) {
      pending.add("the fabric is being discovered");
    }
    unread().forEach(switchId -> pending.add(switchId + ": tables are being read"));
    pending.addAll(drifted.values());
    pending.addAll(suspected.values());
    boolean isUnconfirmed = !confirmed || hasUnplannedChange.getAsBoolean();
    if (planned && isUnconfirmed && problems.isEmpty() && pending.isEmpty()) {
      pending.add("the switches have not confirmed all changes yet");
    }
    for (String link : nib.snapshot().unprovenLinks()) {
      pending.add("link " + link + " carries traffic, and no probes have passed it yet");
    }
    if (lacksFlows) {
      pending.add("flows between switches are being computed");
    }
    List<String> lasting = new ArrayList<>(problems);
    lasting.addAll(runtimeProblems);
    List<String> beside = new ArrayList<>(links);
    beside.addAll(contested);
    beside.addAll(foreign);
    outside.values().forEach(beside::addAll);
    return FabricStatus.of(lasting, pending, missing, beside);
  }

  private Set<String> unread() {
    Snapshot snapshot = nib.snapshot();
    Set<String> unread = new TreeSet<>();
    // Every switch that is present is connected.
    if (snapshot.presentCount() < nib.connected().size()) {
      for (String switchId : nib.connected()) {
        if (!snapshot.isPresent(switchId)) {
          unread.add(switchId);
        }
      }
    }
    return unread;
  }
}
