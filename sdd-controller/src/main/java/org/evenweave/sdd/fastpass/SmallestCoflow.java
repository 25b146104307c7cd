package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * Weeks of timeslots, coflow by coflow.
 *
 * <p><b>Idea.</b> A coflow is done when the last of its flows is, which takes at least as long as
 * its busiest host: its bottleneck. So coflows have their turns by bottleneck, smallest first
 * (smallest effective bottleneck first: Chowdhury et al., "Efficient coflow scheduling with Varys",
 * SIGCOMM 2014, section 4.2). What is in no coflow counts as one of its pair alone, so that without
 * coflows the pair that wants least is first, as in {@link ShortestRemaining}. Before all that
 * comes priority, the highest first.
 *
 * <p>In its turn each pair of a coflow, the largest first, takes the first timeslots of the week
 * that are free at both its ends, as many as it wants. So later coflows fill the free timeslots,
 * and take nothing from earlier ones.
 *
 * <p><b>Starvation.</b> A large coflow waits as long as smaller ones keep coming.
 *
 * <p><b>Complexity.</b> O(p log p + p t / 64) for p pairs with demand, each in each class, and t
 * timeslots of a week. Nothing is allocated once the number of pairs has grown to its most, unless
 * the library's sort does.
 */
public final class SmallestCoflow implements Scheduler {
  /**
   * A turn is a word; from its high bits on: 7 - priority (3), bottleneck in timeslots (24), class
   * (3), timeslots that the pair does not want (13), pair (20).
   */
  private static final int PAIR_BITS = WeekOfTimeslots.PAIR_BITS;

  private static final int WANT_BITS = 13;
  private static final int CLASS_BITS = 3;
  private static final int BOTTLENECK_BITS = 24;
  private static final int CLASS_SHIFT = PAIR_BITS + WANT_BITS;
  private static final int BOTTLENECK_SHIFT = CLASS_SHIFT + CLASS_BITS;
  private static final int PRIORITY_SHIFT = BOTTLENECK_SHIFT + BOTTLENECK_BITS;
  private static final int PAIR_MASK = (1 << PAIR_BITS) - 1;
  private static final int WANT_MASK = (1 << WANT_BITS) - 1;
  private static final int CLASS_MASK = (1 << CLASS_BITS) - 1;
  private static final int BOTTLENECK_MASK = (1 << BOTTLENECK_BITS) - 1;

  private final CircuitNetwork network;
  private final int hosts;
  private final WeekOfTimeslots timeslots;
  private final WeekBuilder builder;

  /** Of a coflow: the timeslots that it wants at each source, and at each destination. */
  private final long[] fromSource;

  private final long[] toDestination;

  /** What each class wants. */
  private final DemandMatrix[] wanted = new DemandMatrix[Observed.MAX_CLASSES];

  private final int[] positions;
  private long[] turns = new long[0];
  private int count;

  /**
   * A scheduler for a network.
   *
   * @param network its circuits are the hosts' links, its night is before each timeslot
   * @param slotNs at least a byte's and, with a night, at most a week; so long that a week's
   *     timeslots, times the hosts, are 2^24 at most
   */
  public SmallestCoflow(CircuitNetwork network, long slotNs) {
    this.network = network;
    this.hosts = network.hosts();
    this.timeslots = new WeekOfTimeslots(network, slotNs);
    this.builder = new WeekBuilder(network);
    this.fromSource = new long[hosts];
    this.toDestination = new long[hosts];
    this.positions = new int[hosts * hosts];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    count = 0;
    collect(demand, 0, 0, false);
    carryOut();
  }

  @Override
  public void plan(Observed seen, Schedule week) {
    builder.start(seen.demand(), week);
    count = 0;
    for (int c = 0; c < seen.classes(); c++) {
      collect(seen.of(c), c, seen.priority(c), seen.isCoflow(c));
    }
    carryOut();
  }

  private void collect(DemandMatrix of, int c, int priority, boolean isCoflow) {
    wanted[c] = of;
    int pairs = of.positions(positions);
    if (turns.length < count + pairs) {
      turns = Arrays.copyOf(turns, Math.max(count + pairs, 2 * turns.length));
    }
    long bottleneck = isCoflow ? bottleneck(of, pairs) : 0;
    for (int i = 0; i < pairs; i++) {
      int pair = positions[i];
      long want = want(of, pair);
      if (pair / hosts != pair % hosts) {
        turns[count++] = turn(priority, isCoflow ? bottleneck : want, c, want, pair);
      }
    }
  }

  /** The most timeslots that a host needs for all of a coflow, to send or to receive. */
  private long bottleneck(DemandMatrix of, int pairs) {
    Arrays.fill(fromSource, 0);
    Arrays.fill(toDestination, 0);
    long most = 0;
    for (int i = 0; i < pairs; i++) {
      int source = positions[i] / hosts;
      int destination = positions[i] % hosts;
      if (source != destination) {
        long want = want(of, positions[i]);
        fromSource[source] += want;
        toDestination[destination] += want;
        most = Math.max(most, Math.max(fromSource[source], toDestination[destination]));
      }
    }
    return most;
  }

  private long want(DemandMatrix of, int pair) {
    return timeslots.timeslotsFor(of.at(pair));
  }

  private static long turn(int priority, long bottleneck, int c, long want, int pair) {
    return (long) (Observed.MAX_PRIORITY - priority) << PRIORITY_SHIFT
        | Math.min(bottleneck, BOTTLENECK_MASK) << BOTTLENECK_SHIFT
        | (long) c << CLASS_SHIFT
        | (WANT_MASK - Math.min(want, WANT_MASK)) << PAIR_BITS
        | pair;
  }

  private void carryOut() {
    timeslots.clear();
    Arrays.sort(turns, 0, count);
    for (int i = 0; i < count; i++) {
      int pair = (int) turns[i] & PAIR_MASK;
      DemandMatrix of = wanted[(int) (turns[i] >>> CLASS_SHIFT) & CLASS_MASK];
      timeslots.take(pair / hosts, pair % hosts, want(of, pair));
    }
    timeslots.carryOut(builder);
  }
}
