package org.evenweave.standalone.tools;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.GroupReducer;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;

/** Answers plain lines of {@code evenweave reduce} without allocating memory for each. */
final class PlainReduction implements PlainResult {
  private static final byte[] WEIGHTS = ascii("\"weights\"");
  private static final byte[] LIMIT = ascii("\"maxOversubscription\"");
  private static final byte[] LEAVE_OUT = ascii("\"leaveOut\"");
  private static final byte[] AUTO = ascii("\"auto\"");
  private static final byte[] MIN_NEXT_HOPS = ascii("\"minNextHops\"");
  private static final byte[] ANSWER_WEIGHTS = ascii("{\"weights\":[");
  private static final byte[] ANSWER_ENTRIES = ascii("],\"entries\":");
  private static final byte[] ANSWER_OVERSUBSCRIPTION = ascii(",\"oversubscription\":");

  private final GroupReducer reducer = new GroupReducer();
  private int[] entries = new int[0];

  /** Of the last line; mostly it is the same for all. */
  private BigDecimal limit = BigDecimal.ZERO;

  private Ratio exactLimit;

  /** Ports of the last line that cannot be left out. */
  private int minNextHops;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public boolean answer(PlainLine line, ResultBuffer answer) throws IOException {
    if (!take(line)) {
      return false;
    }
    int ports = line.count();
    if (entries.length < ports) {
      entries = new int[ports];
    }
    int size = reducer.reduce(line.numbers(), ports, exactLimit, minNextHops, entries);
    write(answer, line.numbers(), ports, size);
    return true;
  }

  /** Takes weights and limit, in either order, and what may follow them in this one. */
  private boolean take(PlainLine line) {
    if (!line.take('{')) {
      return false;
    }
    boolean weightsFirst = takeWeights(line);
    return (weightsFirst || takeLimit(line))
        && line.take(',')
        && (weightsFirst ? takeLimit(line) : takeWeights(line))
        && takeLeaveOut(line)
        && line.take('}')
        && line.atEnd();
  }

  /** Takes "leaveOut":"auto" and the number of next hops that stay, or nothing. */
  private boolean takeLeaveOut(PlainLine line) {
    minNextHops = Integer.MAX_VALUE;
    if (!line.take(',')) {
      return true;
    }
    if (!(line.take(LEAVE_OUT) && line.take(':') && line.take(AUTO))) {
      return false;
    }
    minNextHops = LeaveOut.DEFAULT_MIN_NEXT_HOPS;
    if (!line.take(',')) {
      return true;
    }
    long given = line.take(MIN_NEXT_HOPS) && line.take(':') ? line.takeNumber() : -1;
    if (given < 1 || given > Integer.MAX_VALUE) {
      return false;
    }
    minNextHops = (int) given;
    return true;
  }

  private static boolean takeWeights(PlainLine line) {
    return line.take(WEIGHTS) && line.take(':') && line.takeNumbers();
  }

  private boolean takeLimit(PlainLine line) {
    if (!(line.take(LIMIT) && line.take(':') && line.takeDecimal())) {
      return false;
    }
    if (!line.isDecimal(limit)) {
      limit = line.decimal();
      exactLimit = Ratio.of(limit);
    }
    return true;
  }

  private void write(ResultBuffer answer, long[] weights, int ports, int size) throws IOException {
    answer.write(ANSWER_WEIGHTS);
    for (int i = 0; i < ports; i++) {
      if (i > 0) {
        answer.write(',');
      }
      answer.writeNumber(entries[i]);
    }
    answer.write(ANSWER_ENTRIES);
    answer.writeNumber((long) size);
    answer.write(ANSWER_OVERSUBSCRIPTION);
    answer.writeNumber(Oversubscription.approximate(weights, entries, ports));
    answer.write('}');
  }
}
