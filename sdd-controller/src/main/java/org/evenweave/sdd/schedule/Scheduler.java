package org.evenweave.sdd.schedule;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;

/**
 * Decides which sources transmit to which destinations when; called once a week.
 *
 * <p>Every scheduler guarantees:
 *
 * <ul>
 *   <li>in a day no source and no destination has two partners,
 *   <li>days and the nights before them fit the week,
 *   <li>what the days can carry of each pair's demand, and the rest that {@link
 *       Schedule#remainder()} leaves to the packet switch, sum to the demand,
 *   <li>the demand is not changed, and after the first calls nothing is allocated.
 * </ul>
 *
 * <p>A scheduler has working memory of its own, so it is not thread-safe; it may also remember
 * earlier weeks, if fairness needs that.
 */
public interface Scheduler {
  /** The network that this scheduler plans for. */
  CircuitNetwork network();

  /**
   * Plans a week.
   *
   * @param demand the bytes that wait; of as many hosts as the network has
   * @param week is cleared and filled; of as many hosts as the network has
   * @throws IllegalArgumentException if a number of hosts differs from the network's
   */
  void plan(DemandMatrix demand, Schedule week);

  /**
   * Plans a week by what is known of the demand besides its bytes. A scheduler that has no use for
   * that plans for all classes together.
   *
   * @param seen summed up; of as many hosts as the network has
   * @param week as in {@link #plan(DemandMatrix, Schedule)}
   */
  default void plan(Observed seen, Schedule week) {
    plan(seen.demand(), week);
  }

  /**
   * Forgets the weeks before, so that the next one is planned as the first: for demand that has
   * nothing to do with theirs. Does nothing where nothing is remembered.
   */
  default void forget() {}
}
