package org.evenweave.standalone.openflow;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFRoleReply;
import org.projectfloodlight.openflow.types.U64;

/**
 * This controller's role for a switch, and when it claims the role of master. A switch obeys its
 * master and makes every other controller that was master a slave: it refuses their changes and
 * sends them no packets (OpenFlow 1.3.5, section 6.3.6). The role is queried first because a claim
 * must carry a generation id no older than the last one the switch has seen, and only the switch
 * knows that.
 *
 * <p>The loss of the role shows in a role status message (OpenFlow 1.4 and later, and Open vSwitch
 * in 1.3), in a change that is refused (IS_SLAVE; link probes are sent each second), and in the
 * answer to a query of the role at each {@link #check}. It is claimed again by {@link MasterRule}.
 * Confined to the channel's event loop.
 */
final class Mastership {
  /** What follows from the role. */
  interface Listener {
    /** Sends a role request, NOCHANGE for a query. */
    void request(OFControllerRole role, U64 generation, long xid);

    /** This controller is master now, and was not. */
    void gained();

    /**
     * This controller is not master now; called again only after it was.
     *
     * @param how a clause that says how that is known
     */
    void lost(String how);
  }

  /** The pause before the second claim in a row. */
  static final long FIRST_PAUSE_MILLIS = 1_000;

  static final long LONGEST_PAUSE_MILLIS = 64_000;

  /** After so long as master the next claim is again the first in a row. */
  static final long FORGIVEN_AFTER_MILLIS = 300_000;

  /** The generation id of a switch of which nobody ever was master (OFPCR_ROLE_NOCHANGE). */
  private static final U64 NEVER_CLAIMED = U64.of(-1);

  private enum State {
    /** Nothing is asked yet. */
    NEW,
    /** The role is queried, to be claimed. */
    QUERIED,
    CLAIMED,
    MASTER,
    /** Another controller is master; the next claim is scheduled, or waits for the rule. */
    WAITING
  }

  private final EventExecutor loop;
  private final LongSupplier nextXid;
  private final MasterRule rule;
  private final Listener listener;

  private State state = State.NEW;
  private U64 generation = NEVER_CLAIMED;
  private long queryXid = -1;
  private long claimXid = -1;
  private boolean reportedLost;

  /** Whether no other master lives, so that a standby claims too; until the next claim. */
  private boolean noOther;

  private int losses;
  private Future<?> timer;

  /**
   * @param loop the channel's event loop
   */
  Mastership(EventExecutor loop, LongSupplier nextXid, MasterRule rule, Listener listener) {
    this.loop = loop;
    this.nextXid = nextXid;
    this.rule = rule;
    this.listener = listener;
  }

  /** Queries the role and then, if the rule allows, claims to be master. */
  void start() {
    state = State.QUERIED;
    query();
  }

  private void query() {
    queryXid = nextXid.getAsLong();
    listener.request(OFControllerRole.ROLE_NOCHANGE, U64.ZERO, queryXid);
  }

  private void claim() {
    state = State.CLAIMED;
    noOther = false;
    claimXid = nextXid.getAsLong();
    listener.request(OFControllerRole.ROLE_MASTER, generation.add(U64.of(1)), claimXid);
  }

  /** The switch answers a query or a claim. */
  void onReply(OFRoleReply reply) {
    boolean isMaster = reply.getRole() == OFControllerRole.ROLE_MASTER;
    generation = reply.getGenerationId();
    if (state == State.QUERIED) {
      if (rule == MasterRule.CLAIM || noOther || generation.equals(NEVER_CLAIMED)) {
        claim();
      } else {
        state = State.WAITING;
        reportLost("it has had a master already, and this controller stands by");
      }
    } else if (state == State.CLAIMED && reply.getXid() == claimXid) {
      if (isMaster) {
        gain();
      } else {
        lose("the switch did not accept the claim");
      }
    } else if (state == State.MASTER && reply.getXid() == queryXid && !isMaster) {
      lose("the switch says that this controller's role is " + name(reply.getRole()));
    }
  }

  private static String name(OFControllerRole role) {
    return role == OFControllerRole.ROLE_SLAVE ? "slave" : "equal";
  }

  /** The switch reports, unrequested, which role this controller has. */
  void onStatus(RoleStatus status) {
    generation = status.generation();
    if (state == State.MASTER && !status.isMaster()) {
      lose("the switch reports the change of role");
    }
  }

  /**
   * A message was refused because this controller is a slave. Messages are handled in order, so
   * that those sent before a claim are refused before it is answered.
   */
  void onSlaveError() {
    if (state == State.MASTER) {
      lose("the switch refuses changes");
    }
  }

  /**
   * The switch refuses a request.
   *
   * @return whether it was a claim that was older than another controller's, which is repeated
   */
  boolean onError(SwitchError error) {
    if (state != State.CLAIMED || error.xid() != claimXid || !error.isStaleRole()) {
      return false;
    }
    lose("another controller's claim is newer");
    return true;
  }

  /** No other master of the switch lives; whatever the rule, nothing is gained by waiting. */
  void onOtherGone() {
    if (state == State.WAITING) {
      cancelTimer();
      noOther = true;
      start();
    }
  }

  /** To be called now and then. */
  void check() {
    if (state == State.MASTER || state == State.WAITING) {
      query();
    }
  }

  /** The connection has ended. */
  void close() {
    cancelTimer();
  }

  private void gain() {
    state = State.MASTER;
    reportedLost = false;
    schedule(() -> losses = 0, FORGIVEN_AFTER_MILLIS);
    listener.gained();
  }

  private void lose(String how) {
    state = State.WAITING;
    cancelTimer();
    reportLost(how);
    if (rule == MasterRule.CLAIM) {
      long pauseMillis = pauseMillis(losses++);
      if (pauseMillis == 0) {
        start();
      } else {
        schedule(this::start, pauseMillis);
      }
    }
  }

  private void reportLost(String how) {
    if (!reportedLost) {
      reportedLost = true;
      listener.lost(how);
    }
  }

  /**
   * None before the first claim in a row, then twice as long each time. Two controllers with this
   * rule must not claim in step, so a quarter of it is random.
   */
  private static long pauseMillis(int claimsBefore) {
    if (claimsBefore == 0) {
      return 0;
    }
    long pause =
        Math.min(FIRST_PAUSE_MILLIS << Math.min(claimsBefore - 1, 16), LONGEST_PAUSE_MILLIS);
    return pause - ThreadLocalRandom.current().nextLong(pause / 4);
  }

  private void schedule(Runnable task, long millis) {
    cancelTimer();
    timer = loop.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
