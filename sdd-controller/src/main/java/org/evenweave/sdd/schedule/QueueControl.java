package org.evenweave.sdd.schedule;

/** Starts and stops queues of hosts: all that the recipe of tightly coupled TDMA needs. */
public interface QueueControl {
  /** Lets a queue transmit from now on. */
  void start(int host, int queue);

  /** Lets a queue transmit no more. */
  void stop(int host, int queue);
}
