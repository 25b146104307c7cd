package org.evenweave.sdd.trigger;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.evenweave.sdd.config.Trigger;
import org.evenweave.sdd.protocol.wire.TriggerTarget;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Reply;
import org.evenweave.sdd.session.TriggerEvent;

/** One trigger at one host: the request to the host, and its reports. Guarded by its owner. */
final class Watch {
  /** How far the host is with it. */
  enum State {
    /** Not connected. */
    AWAY,
    /** Asked, and not answered yet. */
    ASKED,
    /** It tells when the condition becomes true. */
    WATCHED,
    /** It cannot. */
    REFUSED
  }

  private final Trigger trigger;
  private final int host;
  private HostSession session;

  /** What the host was asked to watch, until it is withdrawn. */
  private final List<CompletableFuture<Reply>> asked = new ArrayList<>();

  private State state = State.AWAY;
  private String problem = "";
  private boolean inForce;
  private long whenCookie;
  private long untilCookie;
  private boolean logged;
  private long loggedNs;
  private long fired;
  private TriggerEvent last;

  Watch(Trigger trigger, int host) {
    this.trigger = trigger;
    this.host = host;
  }

  Trigger trigger() {
    return trigger;
  }

  int host() {
    return host;
  }

  /** The session in which the host was asked; null while it is away. */
  HostSession session() {
    return session;
  }

  /**
   * Asks a host that watches neither condition. {@code when} comes last: where {@code until} is
   * true already, too, the trigger is in force.
   *
   * @param queue the trigger's, at this host
   * @param when the condition with numbers of queues; {@code until} likewise, or null
   * @param cookie what its events carry; {@code until}'s have the next one
   * @param answered is called, by any thread, once the host has answered all: with null, or why it
   *     refused one
   */
  void ask(
      HostSession newSession,
      int queue,
      String when,
      String until,
      long cookie,
      Consumer<Throwable> answered) {
    session = newSession;
    state = State.ASKED;
    problem = "";
    whenCookie = cookie;
    untilCookie = cookie + 1;
    if (until != null) {
      asked.add(session.addTrigger(queue, TriggerTarget.CONTROLLER, untilCookie, until));
    }
    if (trigger.tellsApplications()) {
      long told = trigger.applicationCookie();
      asked.add(session.addTrigger(queue, TriggerTarget.APPLICATION, told, when));
    }
    asked.add(session.addTrigger(queue, TriggerTarget.CONTROLLER, whenCookie, when));
    CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        .whenComplete((done, failure) -> answered.accept(failure));
  }

  /** The host's answer to what it was asked last. */
  void answered(String newProblem) {
    problem = newProblem;
    state = problem.isEmpty() ? State.WATCHED : State.REFUSED;
    if (state == State.REFUSED) {
      withdraw();
    }
  }

  /** Has the host watch it no more; whatever it is still asked comes first. */
  void withdraw() {
    HostSession askedIn = session;
    if (askedIn != null) {
      asked.forEach(each -> each.thenAccept(reply -> askedIn.removeTrigger(reply.value())));
    }
    asked.clear();
  }

  /** The session has ended, and with it what the host watched. */
  void away() {
    session = null;
    asked.clear();
    state = State.AWAY;
    problem = "";
  }

  void fired(TriggerEvent event) {
    fired++;
    last = event;
    inForce = !trigger.actions().isEmpty() || trigger.until() != null;
  }

  void ended() {
    inForce = false;
  }

  /** Of the events of {@code when}, as asked last. */
  long whenCookie() {
    return whenCookie;
  }

  /** Of those of {@code until}. */
  long untilCookie() {
    return untilCookie;
  }

  /** Whether it was not logged for so long; then it is now. */
  boolean isLogDue(long nowNs, long pauseNs) {
    boolean isDue = !logged || nowNs - loggedNs >= pauseNs;
    if (isDue) {
      logged = true;
      loggedNs = nowNs;
    }
    return isDue;
  }

  State state() {
    return state;
  }

  /** Why the host refused it; empty if it did not. */
  String problem() {
    return problem;
  }

  /** Whether it fired, and has not been ended. */
  boolean inForce() {
    return inForce;
  }

  long firedCount() {
    return fired;
  }

  /** The event with which it fired last, or null. */
  TriggerEvent last() {
    return last;
  }
}
