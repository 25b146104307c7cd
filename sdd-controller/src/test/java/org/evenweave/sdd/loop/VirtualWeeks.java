package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSwitch;

/**
 * Weeks that are carried out in virtual time, with a circuit switch beside them: time passes only
 * where the commander waits, and it wakes as late as the test says. Looks at each START whether its
 * circuit is up until it is over.
 */
final class VirtualWeeks implements CommandClock, HostCommands, CircuitChanges, CircuitSwitch {
  static final int HOSTS = 4;
  static final long MS = 1_000_000;
  static final long GUARD_NS = MS;
  static final long SWITCH_NIGHT_NS = 2 * MS;
  static final long NIGHT_NS = SWITCH_NIGHT_NS + 2 * GUARD_NS;
  static final long WEEK_NS = 200 * MS;
  static final long LEAST_NS = 5 * MS;

  /** One queue, from its START to its STOP or the end that the START named. */
  static final class Sent {
    final int source;
    final int destination;
    final long fromNs;
    final long untilNs;

    Sent(int source, int destination, long fromNs, long untilNs) {
      this.source = source;
      this.destination = destination;
      this.fromNs = fromNs;
      this.untilNs = untilNs;
    }

    @Override
    public String toString() {
      return source + ">" + destination + " " + fromNs / MS + "-" + untilNs / MS;
    }
  }

  final CircuitNetwork network = new CircuitNetwork(HOSTS, 1_000_000_000, 0, NIGHT_NS, WEEK_NS);
  final List<Sent> sent = new ArrayList<>();
  final List<String> faults = new ArrayList<>();

  /** When the commander, waiting for a time, wakes later than that, and by how much. */
  final Map<Long, Long> late = new HashMap<>();

  /** When it woke. */
  final Map<Long, Long> woke = new HashMap<>();

  /** How late it is when it waits for any other time. */
  LongSupplier otherwiseLate = () -> 0;

  /** Hosts without a session, and those whose packets fail. */
  final Set<Integer> away = new HashSet<>();

  final Set<Integer> failing = new HashSet<>();

  /** No circuit switch is connected where there should be one. */
  boolean switchIsAway;

  /** How many changes of a week have been ordered. */
  int changes;

  private final Map<Long, Runnable> events = new HashMap<>();

  private final CircuitOrders orders = new CircuitOrders(HOSTS, SWITCH_NIGHT_NS, GUARD_NS);
  private final SecondChances chances = new SecondChances(network, LEAST_NS, this);
  private final WeekCommands commands = new WeekCommands(this, this, chances, this::fault);
  private final VirtualCircuits circuits = new VirtualCircuits(SWITCH_NIGHT_NS, GUARD_NS);
  private final Map<Integer, Integer> starting = new HashMap<>();
  private final Set<Integer> reached = new HashSet<>();
  private final RuntimeException ofTheTest = new IllegalStateException("a fault of the test");
  private Throwable unexpected;
  private Week next;
  private boolean announces;
  private long nowNs;
  private long untilNs;

  /** Days of so many ms, each with {@code source, destination, ...}; all of these have demand. */
  static void day(Week week, long ms, int... pairs) {
    int[] destinationOf = {Schedule.IDLE, Schedule.IDLE, Schedule.IDLE, Schedule.IDLE};
    for (int i = 0; i < pairs.length; i += 2) {
      destinationOf[pairs[i]] = pairs[i + 1];
      week.demand().add(pairs[i], pairs[i + 1], ms * 125_000);
    }
    week.schedule().addDay(destinationOf, 0, ms * MS);
  }

  /** A week without days, which starts at {@code number * WEEK_NS}. */
  static Week week(int number) {
    Week week = new Week(HOSTS);
    week.of(number, number * WEEK_NS);
    week.schedule().clear(NIGHT_NS);
    return week;
  }

  /** Carries a week out while another one is announced already. */
  LateTotals carryOut(Week week, Week following) {
    // The planner announces ahead of time, however late the commander is.
    announces = true;
    if (next != week) {
      orders.order(week.schedule(), week.startNs(), 0, this);
    }
    orders.order(following.schedule(), following.startNs(), 0, this);
    announces = false;
    next = following;
    LateTotals before = commands.totals();
    try {
      commands.carryOut(week);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (unexpected != null) {
      throw new AssertionError(unexpected);
    }
    assertFollowingIsAsAnnounced();
    LateTotals after = commands.totals();
    return new LateTotals(
        after.days() - before.days(),
        after.pairs() - before.pairs(),
        after.secondChances() - before.secondChances(),
        after.lostNs() - before.lostNs(),
        after.regainedNs() - before.regainedNs());
  }

  private void assertFollowingIsAsAnnounced() {
    int days = next.schedule().days();
    int ordered = circuits.countFrom(next.startNs());
    assertEquals(Math.max(1, days), ordered, "the week after");
    for (int day = 0; day < days; day++) {
      long atNs = next.startNs() + next.schedule().startNs(day) - GUARD_NS - SWITCH_NIGHT_NS;
      for (int source = 0; source < HOSTS; source++) {
        assertEquals(next.schedule().peer(day, source), circuits.at(atNs)[source]);
      }
    }
    if (days == 0) {
      int[] dark = circuits.at(next.startNs() + GUARD_NS);
      assertTrue(Arrays.stream(dark).allMatch(to -> to == Schedule.IDLE), "a week without days");
    }
  }

  /** The commander survives whatever fails; a test must not. */
  private void fault(String consequence, Throwable fault) {
    faults.add(consequence);
    if (fault != ofTheTest) {
      unexpected = fault;
    }
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void await(long timeNs) {
    late.computeIfAbsent(timeNs, time -> otherwiseLate.getAsLong());
    nowNs = Math.max(nowNs, timeNs + late.get(timeNs));
    woke.put(timeNs, nowNs);
    events.getOrDefault(timeNs, () -> {}).run();
  }

  /** Something happens when the commander wakes for a time. */
  void onStartAt(long timeNs, Runnable event) {
    events.put(timeNs, event);
  }

  @Override
  public void until(long timeNs) {
    untilNs = timeNs;
    reached.clear();
  }

  @Override
  public void start(int host, int queue) {
    if (!away.contains(host)) {
      starting.put(host, queue);
    }
  }

  @Override
  public void stop(int host, int queue) {
    // STARTs end by themselves.
  }

  @Override
  public void flush(long period, long timeNs) {
    for (Map.Entry<Integer, Integer> command : starting.entrySet()) {
      if (!failing.contains(command.getKey())) {
        reached.add(command.getKey());
        take(command.getKey(), command.getValue());
      }
    }
    boolean fails = starting.keySet().stream().anyMatch(failing::contains);
    starting.clear();
    if (fails) {
      throw ofTheTest;
    }
  }

  private void take(int source, int destination) {
    if (source == destination) {
      return;
    }
    circuits.assertUp(source, destination, nowNs, untilNs);
    sent.add(new Sent(source, destination, nowNs, untilNs));
  }

  @Override
  public boolean sent(int host) {
    return reached.contains(host);
  }

  @Override
  public boolean fit(int days) {
    return !switchIsAway;
  }

  @Override
  public void order(Schedule schedule, long weekStartNs, int fromDay) {
    changes++;
    orders.order(schedule, weekStartNs, fromDay, this);
    orders.order(next.schedule(), next.startNs(), 0, this);
  }

  @Override
  public void configure(int[] destinationOf, long atNs, long nightNs) {
    assertTrue(announces || atNs >= nowNs + LEAST_NS, "an order for " + atNs + " at " + nowNs);
    Set<Integer> taken = new HashSet<>();
    for (int destination : destinationOf) {
      assertTrue(destination == Schedule.IDLE || taken.add(destination), "a port in two circuits");
    }
    circuits.configure(destinationOf, atNs);
  }
}
