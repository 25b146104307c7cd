package org.evenweave.sdd.loop;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TriggersConfig;
import org.evenweave.sdd.handover.PolicyExchange;
import org.evenweave.sdd.handover.PolicyRecipient;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.session.Edges;
import org.evenweave.sdd.trigger.Triggers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that operators change at run time: traffic classes, triggers, the edges' order. Each
 * change creates a complete new state, which is sent to the other controllers; newer states of
 * others are applied here. So a controller that takes over has its predecessor's state.
 * Thread-safe.
 */
public final class OperatorPolicy implements PolicyExchange {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorPolicy.class);

  private final SddConfig config;
  private final ClassSharing sharing;
  private final QueueSetup setup;
  private final Triggers triggers;
  private final Edges edges;
  private final BooleanSupplier leads;
  private final List<PolicyRecipient> others = new CopyOnWriteArrayList<>();

  /** What counts here; written with {@link #triggers} held, as the next one is. */
  private volatile PolicyState current;

  /** The newest that is known, which may be one of another configuration. */
  private volatile PolicyState newest;

  /**
   * @param leads whether this controller leads
   */
  OperatorPolicy(
      SddConfig config,
      ClassSharing sharing,
      QueueSetup setup,
      Triggers triggers,
      Edges edges,
      BooleanSupplier leads) {
    this.config = config;
    this.sharing = sharing;
    this.setup = setup;
    this.triggers = triggers;
    this.edges = edges;
    this.leads = leads;
    current = configured(config.sharing(), config.triggers());
    newest = current;
  }

  private PolicyState configured(SharingConfig classes, TriggersConfig watched) {
    return PolicyState.configured(classes.json(), watched.json(), config.edgeOrder().json());
  }

  /** Adds somebody who is told each change that is made here. */
  public void tell(PolicyRecipient other) {
    others.add(other);
  }

  @Override
  public PolicyState newest() {
    return newest;
  }

  /** The state that counts here. */
  public PolicyState current() {
    return current;
  }

  @Override
  public boolean isInForce() {
    return newest == current;
  }

  void replaceSharing(SharingConfig classes) {
    PolicyState changed;
    synchronized (triggers) {
      try {
        SddConfigReader.readTriggers(triggers.config().json(), config, classes);
      } catch (SddConfigException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      replaceClasses(classes);
      changed = changed();
    }
    confirm(changed);
  }

  private void replaceClasses(SharingConfig classes) {
    synchronized (sharing) {
      sharing.replace(classes);
      setup.replaceClassFlows(sharing.queues());
    }
  }

  void replaceTriggers(JsonNode document) throws SddConfigException {
    PolicyState changed;
    synchronized (triggers) {
      triggers.replace(SddConfigReader.readTriggers(document, config, sharing.config()));
      changed = changed();
    }
    confirm(changed);
  }

  void replaceEdgeOrder(EdgeOrder order) {
    PolicyState changed;
    synchronized (triggers) {
      edges.order(order);
      changed = changed();
    }
    confirm(changed);
  }

  private PolicyState changed() {
    long version = Math.max(config.clock().nowNs(), newest.version() + 1);
    current =
        current.changed(
            version, sharing.config().json(), triggers.config().json(), edges.order().json());
    newest = current;
    return current;
  }

  private void confirm(PolicyState changed) {
    Optional<String> problem = tellAll(changed);
    if (problem.isPresent()) {
      throw new UnconfirmedException(problem.get());
    }
  }

  /** Why not all are certain to have it. */
  private Optional<String> tellAll(PolicyState changed) {
    String problems =
        others.stream()
            .flatMap(other -> other.handOver(changed).stream())
            .collect(Collectors.joining(", and "));
    if (problems.isEmpty()) {
      return Optional.empty();
    }
    LOG.warn("the change is in force here, but {}", problems);
    return Optional.of(problems);
  }

  /**
   * The configuration has other classes and triggers. What was put before does not count for it;
   * what was put at the controller that leads, which had it sooner, does.
   */
  void reconfigure(SddConfig other) {
    PolicyState changed = null;
    synchronized (triggers) {
      replaceClasses(other.sharing());
      triggers.replace(other.triggers());
      current = configured(other.sharing(), other.triggers());
      if (leads.getAsBoolean()) {
        // So that nobody takes what was put before, should this configuration return.
        changed = changed();
      } else if (newest.base().equals(current.base())) {
        apply(newest);
      }
    }
    if (changed != null) {
      tellAll(changed);
    }
  }

  @Override
  public void offered(PolicyState state) {
    synchronized (triggers) {
      if (state.isNewerThan(newest)) {
        newest = state;
        apply(state);
      }
    }
  }

  private void apply(PolicyState state) {
    if (!state.isNewerThan(current)) {
      return;
    }
    if (!state.base().equals(current.base())) {
      LOG.warn(
          "ignored a change of sharing, triggers or edge at another controller, because its"
              + " configuration of them differs from this controller's");
      return;
    }
    try {
      SharingConfig classes =
          state.sharing().isEmpty()
              ? SharingConfig.NONE
              : SddConfigReader.readSharing(state.sharing(), config);
      TriggersConfig watched = SddConfigReader.readTriggers(state.triggers(), config, classes);
      EdgeOrder order = SddConfigReader.readEdgeOrder(state.edge());
      replaceClasses(classes);
      triggers.replace(watched);
      edges.order(order);
      current = state;
      LOG.info("applied the sharing, triggers and edge that were changed at another controller");
    } catch (SddConfigException | IllegalArgumentException e) {
      LOG.warn("cannot apply a change that was made at another controller: {}", e.getMessage());
    }
  }
}
