package org.evenweave.engine.forwarding;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.evenweave.engine.port.SwitchOperation;

/**
 * Carries out one plan, round by round. The first round in which a switch fails is the last one.
 * Owned by the loop.
 */
final class PlanExecution {
  private final ForwardingManager forwarding;
  private final UpdatePlan plan;
  private final PlanListener listener;
  private final Consumer<PlanOutcome> done;
  private int round;
  private boolean isInForce;

  /** Whether the next round, or the end, waits for switches to settle. */
  private boolean waits;

  /**
   * @param done called instead of the listener's {@code ended}
   */
  PlanExecution(
      ForwardingManager forwarding,
      UpdatePlan plan,
      PlanListener listener,
      Consumer<PlanOutcome> done) {
    this.forwarding = forwarding;
    this.plan = plan;
    this.listener = listener;
    this.done = done;
  }

  /** Goes on with the next round, as soon as it may begin. */
  void proceed() {
    waits = false;
    if (round >= plan.inForce() && !isInForce) {
      isInForce = true;
      listener.inForce(plan.groupChanges(), plan.flowChanges());
    }
    boolean complete = round == plan.roundCount();
    if (listener.isOutdated()) {
      finish(complete, Map.of());
    } else if ((complete || plan.waitsBefore(round)) && forwarding.untilSettledNanos() > 0) {
      waits = true;
      int next = round;
      forwarding.later(() -> endWait(next), forwarding.untilSettledNanos());
    } else if (complete) {
      finish(true, Map.of());
    } else {
      carryOut(plan.round(round));
    }
  }

  /** Ends a wait if the plan is outdated, so that a better one can begin. */
  void reconsider() {
    if (waits && listener.isOutdated()) {
      proceed();
    }
  }

  private void endWait(int next) {
    if (waits && round == next) {
      proceed();
    }
  }

  private void carryOut(Map<String, List<SwitchOperation>> operations) {
    Set<String> awaited = new HashSet<>(operations.keySet());
    Map<String, String> failures = new TreeMap<>();
    forwarding.apply(
        operations,
        listener::isOutdated,
        (switchId, failure) -> {
          if (failure != null) {
            failures.put(switchId, failure);
          }
          awaited.remove(switchId);
          boolean ends =
              awaited.isEmpty()
                  && (!failures.isEmpty() || forwarding.isAnyUnfinished(operations.keySet()));
          if (awaited.isEmpty() && !ends) {
            round++;
            proceed();
          } else if (ends) {
            finish(false, failures);
          }
        });
  }

  private void finish(boolean complete, Map<String, String> failures) {
    done.accept(new PlanOutcome(complete, failures));
  }
}
