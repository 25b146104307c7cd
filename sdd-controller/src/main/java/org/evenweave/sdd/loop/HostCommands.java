package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.QueueControl;

/** Commands for hosts, collected and then sent together. */
interface HostCommands extends QueueControl {
  /** Begins others: when queues that are started from now on close, should the STOP be lost. */
  void until(long timeNs);

  /** Sends each commanded host its commands. */
  void flush(long period, long nowNs);

  /** Whether the last flush since {@link #until} sent a host its commands. */
  boolean sent(int host);
}
