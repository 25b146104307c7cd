package org.evenweave.sdd.fastpass;

/**
 * FastPass's timeslot allocation in steps of {@value #STEP_TIMESLOTS} timeslots, so that a request
 * waits for the next step at most before it is considered.
 *
 * <p>While few pairs wait, a step is a batch of the {@link Arbiter} of its own. While many do, a
 * batch is four steps: the pairs that wait are walked once and not four times, and the three later
 * steps give what their batch has free yet to the requests that came since ({@link
 * Arbiter#allocateMore}). Few and many is a matter of cost alone: with many, most timeslots of a
 * batch are taken by those who waited already, whichever its length.
 *
 * <p>No pair of n hosts waits longer than {@code 2 (n - 2)} timeslots and the {@value
 * #LATER_TIMESLOTS} of the later steps.
 */
public final class SlidingWindow {
  /** The timeslots of a step, as in FastPass's arbiter (Perry et al., SIGCOMM 2014, section 4). */
  public static final int STEP_TIMESLOTS = 16;

  /** The most timeslots of a batch behind its first step. */
  public static final int LATER_TIMESLOTS = Arbiter.BATCH_TIMESLOTS - STEP_TIMESLOTS;

  /**
   * A batch has four steps if more pairs wait for each host than this. With few, walking them once
   * for four steps saves nothing, and a batch of its own considers a request sooner.
   */
  private static final int FEW_PAIRS_PER_HOST = 4;

  private final Arbiter arbiter;
  private int batchTimeslots;

  /** The first timeslot of the step in its batch. */
  private int first;

  /**
   * A window without requests, at timeslot 0.
   *
   * @param hosts the number of hosts, 2 to {@value Arbiter#MAX_HOSTS}
   */
  public SlidingWindow(int hosts) {
    this.arbiter = new Arbiter(hosts);
  }

  /** The first timeslot of the next step. */
  public long now() {
    return arbiter.now() - batchTimeslots + Math.min(batchTimeslots, first + STEP_TIMESLOTS);
  }

  /** As {@link Arbiter#request}. */
  public void request(int source, int destination, int timeslots) {
    arbiter.request(source, destination, timeslots);
  }

  /** Allocates the next {@value #STEP_TIMESLOTS} timeslots. */
  public void allocate() {
    first += STEP_TIMESLOTS;
    if (first < batchTimeslots) {
      arbiter.allocateMore(first);
      return;
    }
    boolean manyWait = arbiter.waiting() > FEW_PAIRS_PER_HOST * arbiter.hosts();
    batchTimeslots = manyWait ? Arbiter.BATCH_TIMESLOTS : STEP_TIMESLOTS;
    arbiter.allocate(batchTimeslots);
    first = 0;
  }

  /** How many pairs send in a timeslot of the last step, 0 to {@value #STEP_TIMESLOTS} - 1. */
  public int admitted(int timeslot) {
    return arbiter.admitted(inBatch(timeslot));
  }

  /** The source of one of the pairs that send in a timeslot of the last step. */
  public int source(int timeslot, int i) {
    return arbiter.source(inBatch(timeslot), i);
  }

  /** The destination of one of the pairs that send in a timeslot of the last step. */
  public int destination(int timeslot, int i) {
    return arbiter.destination(inBatch(timeslot), i);
  }

  private int inBatch(int timeslot) {
    if (timeslot < 0 || timeslot >= STEP_TIMESLOTS) {
      throw new IndexOutOfBoundsException("no timeslot " + timeslot + " in a step");
    }
    return first + timeslot;
  }
}
