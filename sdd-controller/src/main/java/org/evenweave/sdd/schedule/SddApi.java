package org.evenweave.sdd.schedule;

/**
 * The commands of recipes to hosts: those of the SDD interface (Tewari 2015, section 5.3.3) that
 * the recipes of rates and sharing use. Implemented over the sessions with the hosts.
 *
 * <p>Conditions are in the grammar of section 5.3.4 as libsdd reads it; times are the hosts'
 * nanoseconds. A queue with conditions may transmit while one of them is true.
 */
public interface SddApi {
  /** Which flow of a queue sends next: getNext() of section 5.3.2. */
  enum NextFlow {
    /** The one whose first packet came first. */
    FIFO,
    /** The one that has waited longest for its turn. */
    ROUND_ROBIN,
    /** The one of the highest priority. */
    STRICT_PRIORITY
  }

  /** Opens a queue. */
  void openQueue(int host, int queue, NextFlow nextFlow);

  /** AddDequeueCondition. */
  void addDequeueCondition(int host, int queue, String condition);

  /** RemoveDequeueCondition: of one with the same meaning. */
  void removeDequeueCondition(int host, int queue, String condition);
}
