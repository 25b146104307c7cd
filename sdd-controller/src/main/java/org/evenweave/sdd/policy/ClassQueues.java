package org.evenweave.sdd.policy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.session.QueueDemand;

/** The queues of traffic classes, the same at each host, and what one host reports of them. */
final class ClassQueues {
  static final int NO_QUEUE = -1;

  private final int[] queueOf;
  private final Map<FlowMatch, Integer> flows = new LinkedHashMap<>();

  /**
   * @param first the number of the first queue; there is one for each class with flows
   */
  ClassQueues(List<TrafficClass> classes, int first) {
    queueOf = new int[classes.size()];
    int next = first;
    for (int c = 0; c < queueOf.length; c++) {
      queueOf[c] = classes.get(c).flows().isEmpty() ? NO_QUEUE : next++;
      for (FlowMatch flow : classes.get(c).flows()) {
        flows.put(flow, queueOf[c]);
      }
    }
  }

  /** The queue of each class, or {@link #NO_QUEUE}. */
  int[] queueOf() {
    return queueOf;
  }

  Map<FlowMatch, Integer> flows() {
    return flows;
  }

  /** One host's reports in one session, and the difference between the last two. */
  final class Reports {
    private final long[] queuedBytes = new long[queueOf.length];
    private final long[] received = new long[queueOf.length];
    private final long[] sent = new long[queueOf.length];
    private final long[] receivedBytes = new long[queueOf.length];
    private final long[] sentBytes = new long[queueOf.length];
    private long period;
    private boolean known;

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
      long periods = known ? Math.max(1, report.period() - period) : 0;
      known = true;
      period = report.period();
      return periods;
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
  }
}
