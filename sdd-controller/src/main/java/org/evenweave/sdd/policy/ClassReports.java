package org.evenweave.sdd.policy;

import java.util.Arrays;
import org.evenweave.sdd.session.QueueDemand;

/** One host's reports on its classes in one session: the last report, and measured rates. */
final class ClassReports {
  /** Rates are measured over this long, or from report to report if that is longer. */
  private static final long WINDOW_NS = 1_000_000_000;

  private static final long UNKNOWN = -1;

  private final int[] queueOf;
  private final long[] queuedBytes;
  private final long[] receivedBytes;
  private final long[] sentBytes;

  /** Since the queue was created: as last reported, and as the window began. */
  private final long[] received;

  private final long[] sent;
  private final long[] receivedBefore;
  private final long[] sentBefore;
  private final long[] arrivedBps;
  private final long[] sentBps;
  private long period;
  private long windowNs;
  private boolean known;

  ClassReports(int[] queueOf) {
    this.queueOf = queueOf;
    int classes = queueOf.length;
    queuedBytes = new long[classes];
    receivedBytes = new long[classes];
    sentBytes = new long[classes];
    received = new long[classes];
    sent = new long[classes];
    receivedBefore = new long[classes];
    sentBefore = new long[classes];
    arrivedBps = new long[classes];
    sentBps = new long[classes];
    Arrays.fill(arrivedBps, UNKNOWN);
    Arrays.fill(sentBps, UNKNOWN);
  }

  /** The same session with other classes: what is known of a queue stays so. */
  ClassReports with(int[] newQueueOf) {
    ClassReports next = new ClassReports(newQueueOf);
    for (int c = 0; c < newQueueOf.length; c++) {
      for (int old = 0; old < queueOf.length; old++) {
        if (newQueueOf[c] >= 0 && queueOf[old] == newQueueOf[c]) {
          next.queuedBytes[c] = queuedBytes[old];
          next.received[c] = received[old];
          next.sent[c] = sent[old];
          next.receivedBefore[c] = receivedBefore[old];
          next.sentBefore[c] = sentBefore[old];
          next.arrivedBps[c] = arrivedBps[old];
          next.sentBps[c] = sentBps[old];
        }
      }
    }
    next.period = period;
    next.windowNs = windowNs;
    next.known = known;
    return next;
  }

  /**
   * Takes a report.
   *
   * @return how many periods after the one before, or 0 if it is the session's first
   */
  long take(QueueDemand report) {
    Arrays.fill(queuedBytes, 0);
    // What is in no row has nothing queued, and has received and sent nothing.
    Arrays.fill(receivedBytes, 0);
    Arrays.fill(sentBytes, 0);
    for (int row = 0; row < report.count(); row++) {
      for (int c = 0; c < queueOf.length; c++) {
        if (report.queue(row) == queueOf[c]) {
          queuedBytes[c] = report.queuedBytes(row);
          receivedBytes[c] = Math.max(0, report.receivedBytes(row) - received[c]);
          sentBytes[c] = Math.max(0, report.sentBytes(row) - sent[c]);
          received[c] = report.receivedBytes(row);
          sent[c] = report.sentBytes(row);
        }
      }
    }
    measure(report.timeNs());
    long periods = known ? Math.max(1, report.period() - period) : 0;
    known = true;
    period = report.period();
    return periods;
  }

  private void measure(long timeNs) {
    if (known && timeNs - windowNs < WINDOW_NS) {
      return;
    }
    for (int c = 0; c < queueOf.length; c++) {
      if (known) {
        arrivedBps[c] = bps(received[c] - receivedBefore[c], timeNs - windowNs);
        sentBps[c] = bps(sent[c] - sentBefore[c], timeNs - windowNs);
      }
      receivedBefore[c] = received[c];
      sentBefore[c] = sent[c];
    }
    windowNs = timeNs;
  }

  private static long bps(long bytes, long elapsedNs) {
    return Math.round(Math.max(0, bytes) * 8e9 / elapsedNs);
  }

  /** The bytes of a class that wait. */
  long queuedBytes(int c) {
    return queuedBytes[c];
  }

  /** The bytes that applications gave since the report before. */
  long receivedBytes(int c) {
    return receivedBytes[c];
  }

  /** The bytes of all classes that were sent since the report before. */
  long sentBytes() {
    return Arrays.stream(sentBytes).sum();
  }

  /** What applications gave lately, in bits per second; -1 until it has been measured. */
  long arrivedBps(int c) {
    return arrivedBps[c];
  }

  /** What was sent lately, in bits per second; -1 until it has been measured. */
  long sentBps(int c) {
    return sentBps[c];
  }
}
