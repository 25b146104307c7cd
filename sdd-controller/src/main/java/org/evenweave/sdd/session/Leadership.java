package org.evenweave.sdd.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether this controller leads, or stands by for another one.
 *
 * <p><b>Idea.</b> Hosts and the circuit switch keep a connection to each controller and follow the
 * one of the highest generation, so they know whether there is a leader, and they, not the
 * controllers, fence a superseded one: they refuse all of its messages. A standby withholds their
 * welcome and takes over when more than half of them receive messages from no leader. It does not
 * wait for all of them, because a client may hang, or be cut off, together with the leader: one
 * that has been silent for {@value #SILENCE_NS} ns, although it is queried every second, counts as
 * neither.
 *
 * <p><b>Clients may lie.</b> Each name has one vote, that of its newest connection. A leader stands
 * by when a client follows a later generation and one of these confirms it: a linked controller
 * with a generation so late, the circuit switch, or more than half of the connected clients. A
 * generation that is ahead of the shared clock does not count, unless more than half of all names
 * follow it, as they do when the clock was set back. A client that keeps following another
 * controller while most do not gets a later generation from this one; the other clients are not
 * affected.
 *
 * <p><b>Generations</b> are the shared clock at the moment of taking over, or one more than the
 * highest that a client may have followed, so that they rise without being stored anywhere.
 *
 * <p>Thread-safe.
 */
public final class Leadership {
  /** A client that has heard nobody since it connected may just not have found its leader yet. */
  public static final long PATIENCE_NS = 2_000_000_000;

  /** Three reminders. */
  static final long SILENCE_NS = 3_000_000_000L;

  /** What controllers' clocks may be apart; far more than hosts follow them with. */
  static final long AHEAD_NS = 1_000_000_000;

  /** A century by any of the clocks; sums with one below it do not overflow. */
  static final long LAST_GENERATION = 1L << 62;

  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** A client of this controller: a host or the circuit switch. Its methods must not block. */
  interface Member {
    /** The name in its certificate. */
    String name();

    boolean isCircuitSwitch();

    /** This controller leads now; for one that waits. */
    void leads();

    /** A newer connection of the same name has taken its place. */
    void replaced();
  }

  /** Is told what this controller is to do. Its methods must not block. */
  public interface Listener {
    void leads(long generation);

    void standsBy();
  }

  /** A connected client, and what it has said. */
  private static final class Vote {
    final Member member;
    final long sinceNs;

    /** Whether it has a session, and so follows this controller unless it says otherwise. */
    boolean isServed;

    long spokenNs;
    boolean hasSpoken;
    boolean hears;
    boolean hasHeard;
    long followed;

    /** Since when it follows another one, if it does. */
    long declinesSinceNs;

    Vote(Member member, long sinceNs) {
      this.member = member;
      this.sinceNs = sinceNs;
    }

    boolean isResponsive(long nowNs) {
      return hasSpoken && nowNs - spokenNs < SILENCE_NS;
    }

    boolean isFree(long nowNs) {
      return !hears && (hasHeard || nowNs - sinceNs >= PATIENCE_NS);
    }
  }

  private final LongSupplier clockNs;
  private final int names;
  private final Listener listener;
  private final Map<String, Vote> votes = new HashMap<>();
  private long generation;

  /** The latest that a linked controller has led with. */
  private long linked;

  /** Since when it leads, or stands by. */
  private long sinceNs;

  private boolean isOver;

  /**
   * Stands by until {@link #lead} or until clients have nobody else.
   *
   * @param clockNs the shared clock
   * @param names how many hosts and circuit switches may connect
   */
  public Leadership(LongSupplier clockNs, int names, Listener listener) {
    this.clockNs = clockNs;
    this.names = names;
    this.listener = listener;
    this.sinceNs = clockNs.getAsLong();
  }

  /** This controller's generation; 0 while it stands by. */
  public synchronized long generation() {
    return generation;
  }

  public synchronized boolean leads() {
    return generation > 0;
  }

  /** How many clients wait for their welcome. */
  public synchronized int waiting() {
    return (int) votes.values().stream().filter(vote -> !vote.isServed).count();
  }

  /** Leads from now on, whoever else does. */
  public synchronized void lead() {
    if (generation > 0 || isOver) {
      return;
    }
    sinceNs = clockNs.getAsLong();
    generation = Math.max(sinceNs, highest() + 1);
    LOG.info("this controller leads with generation {}", generation);
    listener.leads(generation);
    welcomeThose(vote -> true);
  }

  /** Of those that wait. */
  private void welcomeThose(Predicate<Vote> who) {
    List<Vote> all =
        votes.values().stream()
            .filter(vote -> !vote.isServed)
            .filter(who)
            .collect(Collectors.toList());
    all.forEach(vote -> vote.isServed = true);
    all.forEach(vote -> vote.member.leads());
  }

  /** This controller ends: it does not begin to lead any more. */
  public synchronized void end() {
    isOver = true;
  }

  /**
   * A client has connected, and may have a session; it takes the place of one of the same name.
   *
   * @return false if it has to wait for {@link Member#leads}, as this controller stands by
   */
  synchronized boolean enter(Member member) {
    Vote older = votes.put(member.name(), new Vote(member, clockNs.getAsLong()));
    if (older != null && older.member != member) {
      older.member.replaced();
    }
    votes.get(member.name()).isServed = generation > 0;
    return generation > 0;
  }

  /** A client has gone. */
  synchronized void left(Member member) {
    Vote vote = votes.get(member.name());
    if (vote != null && vote.member == member) {
      votes.remove(member.name());
      decide();
    }
  }

  /** A linked controller says as which generation it leads; 0 if it stands by. */
  synchronized void linkedLeads(long said) {
    linked = Math.max(linked, Math.min(said, LAST_GENERATION));
    decide();
  }

  /** Whether a client that follows one generation declines the welcome of another, and so waits. */
  static boolean declines(long offered, long followed) {
    return offered > 0 && followed > offered;
  }

  /**
   * A client says whom it follows: while it waits, or in answer to its welcome.
   *
   * @param offered the generation that it was welcomed with; 0 while it waits
   * @param followed the highest generation that it has known, or 0
   * @param hears whether it still hears that one
   */
  synchronized void reported(Member member, long offered, long followed, boolean hears) {
    Vote vote = votes.get(member.name());
    if (vote == null || vote.member != member) {
      return;
    }
    vote.hasSpoken = true;
    vote.spokenNs = clockNs.getAsLong();
    vote.followed = Math.min(followed, LAST_GENERATION);
    vote.hears = hears;
    vote.hasHeard |= hears;
    if (declines(offered, followed)) {
      vote.isServed = false;
      vote.declinesSinceNs = vote.spokenNs;
    }
    decide();
  }

  private void decide() {
    if (generation == 0) {
      takeOverIfMostLackLeader();
      return;
    }
    long nowNs = clockNs.getAsLong();
    if (votes.values().stream().anyMatch(vote -> isOvertakenBy(vote.followed, vote, nowNs))) {
      LOG.warn("a controller with a later generation took over from this one, {}", generation);
      generation = 0;
      sinceNs = nowNs;
      votes.values().forEach(vote -> vote.isServed = false);
      listener.standsBy();
    } else if (votes.values().stream().anyMatch(vote -> isLoneFollowerOfAnother(vote, nowNs))) {
      generation = Math.max(nowNs, highest() + 1);
    }
    if (generation > 0) {
      welcomeThose(vote -> vote.followed <= generation);
    }
  }

  /**
   * Whether a client keeps following another controller, one that may have ended long ago, although
   * most clients do not. Then this controller takes a later generation; sessions stay as they are.
   */
  private boolean isLoneFollowerOfAnother(Vote vote, long nowNs) {
    return !vote.isServed
        && vote.isResponsive(nowNs)
        && vote.followed > generation
        && vote.followed <= nowNs + AHEAD_NS
        && nowNs - vote.declinesSinceNs >= PATIENCE_NS;
  }

  private boolean isOvertakenBy(long followed, Vote by, long nowNs) {
    if (followed <= generation) {
      return false;
    }
    Predicate<Vote> follows = vote -> vote.followed > generation;
    return isMajority(follows, names)
        || (followed <= nowNs + AHEAD_NS
            && (followed <= linked
                || by.member.isCircuitSwitch()
                || isMajorityOfConnected(
                    follows.and(vote -> vote.followed <= nowNs + AHEAD_NS), nowNs)));
  }

  /**
   * The majority of the clients that have a session or have lately declined one. Only after a
   * while, since the first clients to connect would be the majority at once.
   */
  private boolean isMajorityOfConnected(Predicate<Vote> which, long nowNs) {
    Predicate<Vote> isConnected = vote -> vote.isServed || vote.isResponsive(nowNs);
    long connected = votes.values().stream().filter(isConnected).count();
    return nowNs - sinceNs >= PATIENCE_NS && isMajority(isConnected.and(which), connected);
  }

  private boolean isMajority(Predicate<Vote> which, long of) {
    return 2 * votes.values().stream().filter(which).count() > of;
  }

  /**
   * The highest generation that somebody may follow. What one says alone can raise it no further
   * than the clock may be off.
   */
  private long highest() {
    long most = clockNs.getAsLong() + AHEAD_NS;
    long highest = linked;
    for (Vote vote : votes.values()) {
      long said = vote.followed;
      if (said <= most || isMajority(each -> each.followed >= said, names)) {
        highest = Math.max(highest, said);
      }
    }
    return highest;
  }

  /** Not at once: those that hear somebody may not have connected yet. */
  private void takeOverIfMostLackLeader() {
    long nowNs = clockNs.getAsLong();
    if (nowNs - sinceNs < PATIENCE_NS) {
      return;
    }
    long all = votes.values().stream().filter(vote -> vote.isResponsive(nowNs)).count();
    if (isMajority(vote -> vote.isResponsive(nowNs) && vote.isFree(nowNs), all)) {
      LOG.info("more than half of {} waiting clients receive messages from no controller", all);
      lead();
    }
  }
}
