package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * Weeks of timeslots, shared by classes in proportion to their weights.
 *
 * <p><b>Idea.</b> Weighted fair queueing (Demers et al., SIGCOMM 1989), with timeslots instead of
 * packets and a port (a host's sending, or its receiving) instead of a link. The level of a class
 * at a port is its allocated timeslots over its weight. One timeslot after the other goes to the
 * pair whose class would have the lowest level with it, at the higher of the pair's two ports; in a
 * class, to the pair that was served longest ago. Before all that comes priority, the highest
 * first, as at hosts: weights count among classes of one priority.
 *
 * <p>So classes that want the same port have equal levels there: shares in proportion to weights,
 * and what one does not want is shared by the others in the same way, as no timeslot stays free at
 * both ends of a pair that wants one. A port that only one class of the priority wants decides
 * nothing between classes, so its level counts only for pairs without another port.
 *
 * <p><b>From week to week.</b> A week has few timeslots, so at ports where it was too short levels
 * go on, from the lowest level of a class that wanted more: of weights 100 and 1, the second has
 * one timeslot in 101, however short weeks are. A class is at most the largest step of those ahead,
 * and never behind: what it did not want before is no credit.
 *
 * <p><b>Where it is exact.</b> At one port that all want, a class gets at least what max-min fair
 * sharing gives it, rounded down ({@code WeightedSharesTest}). Where pairs meet several full ports
 * a class may get less at one of them than its weight there, as its level at another is higher.
 *
 * <p><b>Complexity.</b> O(log p) for each of p pairs with demand, each in each class; and for each
 * timeslot that a pair gets O(t / 64) with t timeslots of a week, and O(log p) for each pair of its
 * class at its two ports. Nothing is allocated once the number of pairs has grown to its most.
 */
public final class WeightedShares implements Scheduler {
  /** By how much a timeslot raises the level of a class of weight 1: 2^24 of them fit a word. */
  private static final long STEP = 1L << 32;

  private static final int PRIORITY_SHIFT = 60;

  private final CircuitNetwork network;
  private final int hosts;
  private final WeekOfTimeslots timeslots;
  private final WeekBuilder builder;
  private final int[] positions;

  /** Of each class; a port is a source, or behind these a destination. */
  private final long[][] levels;

  /** Of each class: by how much a timeslot raises its level, and its priority. */
  private final long[] steps = new long[Observed.MAX_CLASSES];

  private final int[] priorities = new int[Observed.MAX_CLASSES];

  /** Of each class: by how much it is ahead at one port. */
  private final long[] ahead = new long[Observed.MAX_CLASSES];

  /**
   * Of each port, as bits: the classes that want it, those that others of their priority want it
   * with, and those that wanted more of it.
   */
  private final int[] wantedBy;

  private final int[] sharedBy;
  private final int[] stopped;

  /** Of each class and pair, when it was served last, counted in timeslots given. */
  private final long[][] served = new long[Observed.MAX_CLASSES][];

  private long given;

  /**
   * Of each pair in a class with demand: its ports, how many timeslots it wants, when it was served
   * last, and its key.
   */
  private int[] sources = new int[0];

  private int[] destinations = new int[0];
  private int[] classes = new int[0];
  private long[] wants = new long[0];
  private long[] lastServed = new long[0];
  private long[] keys = new long[0];
  private int count;

  /** Those that want more, as a heap: the smallest key first. */
  private int[] heap = new int[0];

  private int waiting;

  /**
   * A scheduler for a network.
   *
   * @param network its circuits are the hosts' links, its night is before each timeslot
   * @param slotNs at least a byte's and, with a night, at most a week; so long that a week's
   *     timeslots, times the hosts, are 2^24 at most
   */
  public WeightedShares(CircuitNetwork network, long slotNs) {
    this.network = network;
    this.hosts = network.hosts();
    this.timeslots = new WeekOfTimeslots(network, slotNs);
    this.builder = new WeekBuilder(network);
    this.positions = new int[hosts * hosts];
    this.levels = new long[Observed.MAX_CLASSES][2 * hosts];
    this.wantedBy = new int[2 * hosts];
    this.sharedBy = new int[2 * hosts];
    this.stopped = new int[2 * hosts];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    clear();
    collect(demand, 0, 0, 1);
    carryOut(1);
  }

  @Override
  public void plan(Observed seen, Schedule week) {
    builder.start(seen.demand(), week);
    clear();
    for (int c = 0; c < seen.classes(); c++) {
      collect(seen.of(c), c, seen.priority(c), seen.weight(c));
    }
    carryOut(seen.classes());
  }

  @Override
  public void forget() {
    for (int c = 0; c < Observed.MAX_CLASSES; c++) {
      Arrays.fill(levels[c], 0);
      served[c] = null;
    }
    given = 0;
  }

  private void clear() {
    timeslots.clear();
    count = 0;
    Arrays.fill(wantedBy, 0);
    Arrays.fill(stopped, 0);
  }

  private void collect(DemandMatrix of, int c, int priority, int weight) {
    priorities[c] = priority;
    steps[c] = STEP / weight;
    if (served[c] == null) {
      served[c] = new long[hosts * hosts];
    }
    int found = of.positions(positions);
    grow(count + found);
    for (int i = 0; i < found; i++) {
      int source = positions[i] / hosts;
      int destination = hosts + positions[i] % hosts;
      if (source != destination - hosts) {
        sources[count] = source;
        destinations[count] = destination;
        classes[count] = c;
        wants[count] = timeslots.timeslotsFor(of.at(positions[i]));
        lastServed[count] = served[c][positions[i]];
        wantedBy[source] |= 1 << c;
        wantedBy[destination] |= 1 << c;
        count++;
      }
    }
  }

  private void grow(int least) {
    if (sources.length < least) {
      int length = Math.max(least, 2 * sources.length);
      sources = Arrays.copyOf(sources, length);
      destinations = Arrays.copyOf(destinations, length);
      classes = Arrays.copyOf(classes, length);
      wants = Arrays.copyOf(wants, length);
      lastServed = Arrays.copyOf(lastServed, length);
      keys = Arrays.copyOf(keys, length);
      heap = Arrays.copyOf(heap, length);
    }
  }

  private void carryOut(int classCount) {
    for (int port = 0; port < 2 * hosts; port++) {
      sharedBy[port] = sharedBy(wantedBy[port]);
    }
    waiting = count;
    for (int i = 0; i < count; i++) {
      heap[i] = i;
      keys[i] = key(i);
    }
    for (int place = waiting / 2 - 1; place >= 0; place--) {
      sink(place);
    }
    while (waiting > 0) {
      int turn = heap[0];
      long key = key(turn);
      // Levels have risen since, for it may share its class and a port with others: never fallen.
      boolean isFirst = key == keys[turn];
      keys[turn] = key;
      if (isFirst && !serve(turn)) {
        heap[0] = heap[--waiting];
      }
      sink(0);
    }
    timeslots.carryOut(builder);
    for (int port = 0; port < 2 * hosts; port++) {
      carryLevelsOver(port, classCount);
    }
  }

  /** Of these classes, those that are not alone with their priority. */
  private int sharedBy(int wanting) {
    int shared = 0;
    for (int left = wanting; left != 0; left &= left - 1) {
      int c = Integer.numberOfTrailingZeros(left);
      for (int others = wanting & ~(1 << c); others != 0; others &= others - 1) {
        if (priorities[Integer.numberOfTrailingZeros(others)] == priorities[c]) {
          shared |= 1 << c;
        }
      }
    }
    return shared;
  }

  /** What the pair's class would have with one timeslot more; behind higher priorities. */
  private long key(int turn) {
    int c = classes[turn];
    int source = sources[turn];
    int destination = destinations[turn];
    boolean isSourceShared = (sharedBy[source] >>> c & 1) != 0;
    boolean isDestinationShared = (sharedBy[destination] >>> c & 1) != 0;
    long level = 0;
    if (isSourceShared || !isDestinationShared) {
      level = levels[c][source];
    }
    if (isDestinationShared || !isSourceShared) {
      level = Math.max(level, levels[c][destination]);
    }
    return (long) (Observed.MAX_PRIORITY - priorities[c]) << PRIORITY_SHIFT | level + steps[c];
  }

  /** Gives a pair a timeslot if there is one; whether it wants another. */
  private boolean serve(int turn) {
    int c = classes[turn];
    int source = sources[turn];
    int destination = destinations[turn];
    if (timeslots.take(source, destination - hosts, 1) == 0) {
      if (timeslots.isSourceFull(source)) {
        stopped[source] |= 1 << c;
      }
      if (timeslots.isDestinationFull(destination - hosts)) {
        stopped[destination] |= 1 << c;
      }
      return false;
    }
    levels[c][source] += steps[c];
    levels[c][destination] += steps[c];
    lastServed[turn] = ++given;
    served[c][source * hosts + destination - hosts] = given;
    keys[turn] = key(turn);
    return --wants[turn] > 0;
  }

  /** Where levels at a port begin in the next week: at 0 unless the week was too short there. */
  private void carryLevelsOver(int port, int classCount) {
    for (int c = 0; c < classCount; c++) {
      long lowest = Long.MAX_VALUE;
      long most = steps[c];
      for (int left = stopped[port]; left != 0; left &= left - 1) {
        int other = Integer.numberOfTrailingZeros(left);
        if (priorities[other] == priorities[c]) {
          lowest = Math.min(lowest, levels[other][port]);
          most = Math.max(most, steps[other]);
        }
      }
      ahead[c] = Math.max(0, Math.min(most, levels[c][port] - lowest));
    }
    for (int c = 0; c < classCount; c++) {
      levels[c][port] = ahead[c];
    }
  }

  private void sink(int from) {
    int place = from;
    int sinking = heap[from];
    for (int child = 2 * place + 1; child < waiting; child = 2 * place + 1) {
      if (child + 1 < waiting && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], sinking)) {
        break;
      }
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = sinking;
  }

  private boolean isBefore(int turn, int other) {
    if (keys[turn] != keys[other]) {
      return keys[turn] < keys[other];
    }
    return lastServed[turn] != lastServed[other]
        ? lastServed[turn] < lastServed[other]
        : turn < other;
  }
}
