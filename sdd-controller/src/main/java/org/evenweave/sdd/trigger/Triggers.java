package org.evenweave.sdd.trigger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.evenweave.sdd.config.QueueName;
import org.evenweave.sdd.config.Trigger;
import org.evenweave.sdd.config.TriggerAction;
import org.evenweave.sdd.config.TriggersConfig;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.TriggerEvent;

/**
 * The operator's triggers (Tewari 2015, section 5.3.3): hosts watch their conditions and report
 * when these become true; from then on until their end the actions of a trigger are in force.
 *
 * <p>The controller queries a host whenever it connects, and the host reports true conditions at
 * once; so a trigger that has an end ends with the host's session, and begins again with the next.
 * A host that had to drop events is queried again as well.
 *
 * <p>Nothing blocks. Thread-safe; hold the lock of this object, and then that of the traffic
 * classes, to change both or to read several things of the same triggers.
 */
public final class Triggers {
  /** A host is asked again once in this time at most. */
  private static final long ASK_ANEW_NS = 1_000_000_000;

  private static final int COOKIES = 2;
  private static final long UNKNOWN = -1;

  private final Directory directory;
  private final ClassSharing sharing;
  private final HeldPairs held;
  private final LongSupplier nowNs;
  private final HostSession[] sessions;

  /** Of each host, as it told last in its session. */
  private final long[] eventsLost;

  /** Of each host, whether it dropped some since it was asked. */
  private final boolean[] isStale;

  private final long[] askedAnewNs;
  private final Map<Long, Watch> byCookie = new HashMap<>();
  private final EventLog events;
  private TriggersConfig config = TriggersConfig.NONE;
  private List<Watched> watched = List.of();
  private long nextCookie = 1;

  /**
   * Without triggers.
   *
   * @param held what the loop looks at
   * @param nowNs the shared clock
   */
  public Triggers(Directory directory, ClassSharing sharing, HeldPairs held, LongSupplier nowNs) {
    this.directory = directory;
    this.sharing = sharing;
    this.held = held;
    this.nowNs = nowNs;
    this.events = new EventLog(directory, nowNs);
    this.sessions = new HostSession[directory.count()];
    this.eventsLost = new long[directory.count()];
    this.isStale = new boolean[directory.count()];
    this.askedAnewNs = new long[directory.count()];
  }

  /** A trigger at all hosts that watch it. */
  private final class Watched {
    private final Trigger trigger;

    /** By number; null where it is not watched. */
    private final Watch[] at = new Watch[directory.count()];

    Watched(Trigger trigger) {
      this.trigger = trigger;
      for (String host : trigger.hosts()) {
        int number = directory.numberOf(host);
        at[number] = new Watch(trigger, number);
      }
    }

    boolean inForceAt(int host) {
      return at[host] != null && at[host].inForce();
    }

    boolean inForce() {
      for (int host = 0; host < at.length; host++) {
        if (inForceAt(host)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Has others take the place of the triggers that there are. One that is the same keeps its state;
   * what the others did is undone.
   */
  public synchronized void replace(TriggersConfig next) {
    List<Watched> nextWatched = new ArrayList<>();
    List<Watched> added = new ArrayList<>();
    for (Trigger trigger : next.triggers()) {
      Watched known = find(trigger.name());
      if (known == null || !known.trigger.equals(trigger)) {
        known = new Watched(trigger);
        added.add(known);
      }
      nextWatched.add(known);
    }
    for (Watched gone : watched) {
      if (!nextWatched.contains(gone)) {
        for (Watch watch : gone.at) {
          withdraw(watch);
        }
      }
    }
    config = next;
    watched = nextWatched;
    for (Watched one : added) {
      for (Watch watch : one.at) {
        ask(watch);
      }
    }
    for (int host = 0; host < sessions.length; host++) {
      apply(host);
    }
  }

  private Watched find(String name) {
    for (Watched one : watched) {
      if (one.trigger.name().equals(name)) {
        return one;
      }
    }
    return null;
  }

  /** A host is connected and has its queues, and none of the triggers that it had. */
  public synchronized void hostUp(HostSession session) {
    leave(session.number());
    sessions[session.number()] = session;
    eventsLost[session.number()] = UNKNOWN;
    isStale[session.number()] = false;
    askedAnewNs[session.number()] = nowNs.getAsLong();
    for (Watched one : watched) {
      ask(one.at[session.number()]);
    }
  }

  /** A session has ended. */
  public synchronized void hostDown(HostSession session) {
    if (sessions[session.number()] == session) {
      leave(session.number());
    }
  }

  /** Whether what has an end is still so, nobody knows: it ends. */
  private void leave(int host) {
    sessions[host] = null;
    for (Watched one : watched) {
      Watch watch = one.at[host];
      if (watch != null) {
        forget(watch);
        watch.away();
        if (one.trigger.until() != null) {
          end(one, watch, Firing.Kind.ENDED, nowNs.getAsLong(), null);
        }
      }
    }
  }

  private void forget(Watch watch) {
    byCookie.remove(watch.whenCookie());
    byCookie.remove(watch.untilCookie());
  }

  private void withdraw(Watch watch) {
    if (watch != null) {
      forget(watch);
      watch.withdraw();
    }
  }

  private void ask(Watch watch) {
    HostSession session = watch == null ? null : sessions[watch.host()];
    if (session == null) {
      return;
    }
    Trigger trigger = watch.trigger();
    long cookie = nextCookie;
    nextCookie += COOKIES;
    byCookie.put(cookie, watch);
    byCookie.put(cookie + 1, watch);
    watch.ask(
        session,
        trigger.queue().number(directory, sharing::queue),
        trigger.when().text(this::queueNumber),
        trigger.until() == null ? null : trigger.until().text(this::queueNumber),
        cookie,
        failure -> answered(watch, cookie, failure));
  }

  private int queueNumber(String name) {
    return QueueName.of(name).number(directory, sharing::queue);
  }

  private synchronized void answered(Watch watch, long cookie, Throwable failure) {
    if (watch.whenCookie() != cookie || watch.state() != Watch.State.ASKED) {
      return;
    }
    if (failure == null) {
      watch.answered("");
    } else if (watch.session().isUp()) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      watch.session().log().warn("trigger {}: {}", watch.trigger().name(), cause.getMessage());
      forget(watch);
      watch.answered(cause.getMessage());
    }
  }

  /** A host tells that a condition has become true. */
  public synchronized void fired(HostSession session, TriggerEvent event) {
    int host = session.number();
    if (sessions[host] != session) {
      return;
    }
    Watch watch = byCookie.get(event.cookie());
    // A host speaks for itself only.
    if (watch != null && watch.host() == host) {
      Watched one = find(watch.trigger().name());
      if (event.cookie() == watch.untilCookie()) {
        end(one, watch, Firing.Kind.ENDED, event.timeNs(), event);
      } else {
        begin(one, watch, event);
      }
    }
    boolean isKnown = eventsLost[host] != UNKNOWN;
    isStale[host] |= isKnown ? event.eventsLost() != eventsLost[host] : event.eventsLost() > 0;
    eventsLost[host] = event.eventsLost();
  }

  /**
   * A host has reported, and so has told all events from before: one that had to drop some is asked
   * again. Not more often than once in a while, as it may drop the answers to that too.
   */
  public synchronized void demandReported(HostSession session) {
    int host = session.number();
    long now = nowNs.getAsLong();
    if (!isStale[host] || sessions[host] != session || now - askedAnewNs[host] < ASK_ANEW_NS) {
      return;
    }
    isStale[host] = false;
    askedAnewNs[host] = now;
    for (Watched one : watched) {
      withdraw(one.at[host]);
      ask(one.at[host]);
    }
  }

  private void begin(Watched one, Watch watch, TriggerEvent event) {
    boolean before = watch.inForce();
    watch.fired(event);
    events.add(watch, Firing.Kind.FIRED, event.timeNs(), event);
    if (!before) {
      apply(one.trigger, watch.host());
    }
  }

  /**
   * @param event null if the host did not say
   */
  private void end(Watched one, Watch watch, Firing.Kind kind, long timeNs, TriggerEvent event) {
    if (watch.inForce()) {
      watch.ended();
      events.add(watch, kind, timeNs, event);
      apply(one.trigger, watch.host());
    }
  }

  /** Carries out what a trigger's change at a host means. */
  private void apply(Trigger trigger, int at) {
    Set<Integer> hosts = new TreeSet<>();
    for (TriggerAction action : trigger.actions()) {
      if (action.hosts().isEmpty()) {
        hosts.add(at);
      }
      action.hosts().forEach(host -> hosts.add(directory.numberOf(host)));
    }
    hosts.forEach(this::apply);
  }

  private void apply(int host) {
    List<TriggerAction> all = new ArrayList<>();
    List<TriggerAction> inForce = new ArrayList<>();
    for (Watched one : watched) {
      for (TriggerAction action : one.trigger.actions()) {
        String name = directory.nameOf(host);
        boolean here =
            action.hosts().isEmpty() ? one.at[host] != null : action.hosts().contains(name);
        if (here && !name.equals(action.queue().destination())) {
          all.add(action);
          if (action.hosts().isEmpty() ? one.inForceAt(host) : one.inForce()) {
            inForce.add(action);
          }
        }
      }
    }
    Effects effects = new Effects(all, inForce, directory);
    held.set(host, effects.held());
    sharing.restrict(host, effects.mostBps());
  }

  /**
   * Ends what a trigger does, wherever it is in force; it may fire again.
   *
   * @return false if there is no such trigger
   */
  public synchronized boolean end(String name) {
    Watched one = find(name);
    if (one == null) {
      return false;
    }
    for (Watch watch : one.at) {
      if (watch != null) {
        end(one, watch, Firing.Kind.ENDED_BY_OPERATOR, nowNs.getAsLong(), null);
      }
    }
    return true;
  }

  /** What counts now. */
  public synchronized TriggersConfig config() {
    return config;
  }

  /** A trigger at each host that watches it; empty if there is no such trigger. */
  public synchronized List<TriggerState> states(String name) {
    List<TriggerState> states = new ArrayList<>();
    Watched one = find(name);
    for (int host = 0; one != null && host < one.at.length; host++) {
      if (one.at[host] != null) {
        states.add(new TriggerState(one.at[host]));
      }
    }
    return states;
  }

  /** The last events, oldest first. */
  public synchronized List<Firing> recent() {
    return events.recent();
  }
}
