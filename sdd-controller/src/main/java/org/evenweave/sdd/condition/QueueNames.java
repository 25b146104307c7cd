package org.evenweave.sdd.condition;

/** The queues that a condition may name in {@code Q[...]}. */
@FunctionalInterface
public interface QueueNames {
  /**
   * @param name what stands between the brackets
   * @return why no condition may name it, or null
   */
  String problem(String name);
}
