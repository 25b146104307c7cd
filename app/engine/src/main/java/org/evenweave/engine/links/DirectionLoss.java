package org.evenweave.engine.links;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.PortCounters;

/**
 * Estimates the recent packet loss of one direction of a link from the counters at its two ends.
 *
 * <p><b>Skew.</b> Two switches cannot be read at the same moment, and at a million packets a second
 * a millisecond between two readings is a thousand packets. But that error does not grow, while the
 * number of packets lost does: only changes of the difference are looked at, over long times. Each
 * reading looks at both ends twice, the second time when both have answered the first. Let t1, t2
 * be what the sender then has sent and r1, r2 what the receiver has received. When r2 was read the
 * sender had sent at least t1, when r1 was read at most t2. So the packets lost so far and in
 * flight are between {@code t1 - r2} and {@code t2 - r1}, whatever the clocks, the delays and the
 * load. In between, the difference is estimated by the times of the looks ({@link PortClock}) and
 * the rate.
 *
 * <p><b>Noise.</b> The remaining skew differs from reading to reading. Its size is measured, by the
 * differences of successive readings, and averages over a tenth of the window are compared: at the
 * begin and at the end of each half. A rise counts by what it exceeds {@link #SIGMAS} of its
 * standard errors. So slow answers, or a switch that shows counters of a second ago, make this less
 * sensitive and do not make it wrong.
 *
 * <p><b>Packets in flight</b> between the two counters, and clocks that drift apart, are allowed
 * for by {@link #FEW_PACKETS} and what is sent in {@link #IN_FLIGHT_NANOS} at the highest rate. A
 * change of load on a link with a long delay shifts the difference once and for all. So each of the
 * two halves, which have no reading in common, must show the loss by itself.
 *
 * <p><b>The rule.</b> A direction is lossy if in each half of the window at least {@link
 * #LEAST_PACKETS}, and at least one in {@link #LOSS_ONE_IN} of those sent, were lost, after all
 * allowances. At 1,000 packets a second and a loss of 0.1 % that takes a minute: 24 packets are
 * lost between two averages, of which 5 may have been in flight and some 4 be noise; with
 * independent losses too few are lost in one of a hundred cases.
 *
 * <p>Counters that were reset, or a port that was created again, begin another window; so does a
 * 32-bit counter that wraps around. 64-bit counters may wrap. Not thread-safe.
 */
final class DirectionLoss {
  /** Packets that a half must have lost. A single one is no sign of a bad link. */
  static final int LEAST_PACKETS = 5;

  /** The part of the packets sent: 0.01 %, a tenth of what is to be found for sure. */
  static final int LOSS_ONE_IN = 10_000;

  /** Packets that may be in flight at any rate. */
  static final int FEW_PACKETS = 2;

  /**
   * How long a packet may be in flight, 0.6 ms (120 km of fibre), and what clocks that differ by
   * 100 ppm drift apart between two averages, 2.4 ms.
   */
  static final long IN_FLIGHT_NANOS = 3_000_000L;

  /** One in 30,000 by chance, and that in both halves. */
  private static final double SIGMAS = 4;

  /** Of the window that an average is over. */
  private static final int AVERAGES = 10;

  /**
   * From this rate on the counters find in any case what a probe in two seconds could find: it
   * takes a loss of some 15 % for four of 30 to be lost, and that is 15 packets a second.
   */
  static final int BUSY_PPS = 100;

  /** A probe was in flight in one of so many intervals between readings. */
  private static final int BUSY_INTERVALS = 3;

  /** Fewer readings do not show their noise. */
  private static final int LEAST_READINGS = 10;

  /** Switches may count a port's age in whole seconds. */
  private static final long AGE_ERROR_NANOS = 1_000_000_000L;

  private static final double SECOND_NANOS = 1e9;

  /** The counters at one reading, less those at the begin of the window. */
  private static final class Sample {
    final long atNanos;
    final long lower;
    final long upper;
    final double difference;
    final long sent;
    final long errors;

    Sample(long atNanos, long lower, long upper, double difference, long sent, long errors) {
      this.atNanos = atNanos;
      this.lower = lower;
      this.upper = upper;
      this.difference = Math.max(lower, Math.min(upper, difference));
      this.sent = sent;
      this.errors = errors;
    }
  }

  private final List<Sample> samples = new ArrayList<>();
  private final PortClock senderClock = new PortClock();
  private final PortClock receiverClock = new PortClock();

  /** The second of the latest two looks at each end; null before there is one. */
  private PortLook sender;

  private PortLook receiver;

  /** Sent, received and damaged at the begin of the window. */
  private long firstSent;

  private long firstReceived;
  private long firstErrors;

  /**
   * Takes a reading: of each end two looks, the second after both ends had answered the first.
   *
   * @param atNanos later than those before
   * @param windowNanos of the rule
   */
  void add(PortLook[] senderLooks, PortLook[] receiverLooks, long atNanos, long windowNanos) {
    if (senderLooks[1].counters.txPackets() == PortCounters.UNSUPPORTED
        || receiverLooks[1].counters.rxPackets() == PortCounters.UNSUPPORTED
        || !isContinuous(senderLooks[0], senderLooks[1])
        || !isContinuous(receiverLooks[0], receiverLooks[1])) {
      restart();
      return;
    }
    if (sender == null
        || !isContinuous(sender, senderLooks[0])
        || !isContinuous(receiver, receiverLooks[0])) {
      restart();
      firstSent = senderLooks[1].counters.txPackets();
      firstReceived = receiverLooks[1].counters.rxPackets();
      firstErrors = errors(senderLooks[1], receiverLooks[1]);
    }
    samples.add(sample(senderLooks, receiverLooks, atNanos));
    sender = senderLooks[1];
    receiver = receiverLooks[1];
    while (samples.get(0).atNanos < atNanos - windowNanos) {
      samples.remove(0);
    }
  }

  /** Begins another window with the next reading. */
  void restart() {
    samples.clear();
    sender = null;
    receiver = null;
    senderClock.restart();
    receiverClock.restart();
  }

  private Sample sample(PortLook[] senderLooks, PortLook[] receiverLooks, long atNanos) {
    long sent1 = senderLooks[0].counters.txPackets() - firstSent;
    long sent2 = senderLooks[1].counters.txPackets() - firstSent;
    long received1 = receiverLooks[0].counters.rxPackets() - firstReceived;
    long received2 = receiverLooks[1].counters.rxPackets() - firstReceived;
    double sentAt = senderClock.nanos(senderLooks[0]) + senderClock.nanos(senderLooks[1]);
    double receivedAt =
        receiverClock.nanos(receiverLooks[0]) + receiverClock.nanos(receiverLooks[1]);
    double rate = 0;
    if (!samples.isEmpty()) {
      Sample before = samples.get(samples.size() - 1);
      rate = (double) (sent2 - before.sent) / Math.max(1, atNanos - before.atNanos);
    }
    double difference = (sent1 + sent2 - received1 - received2 - rate * (sentAt - receivedAt)) / 2;
    return new Sample(
        atNanos,
        sent1 - received2,
        sent2 - received1,
        difference,
        sent2,
        errors(senderLooks[1], receiverLooks[1]) - firstErrors);
  }

  /** Whether a port has counted without a reset between two looks. */
  private static boolean isContinuous(PortLook before, PortLook after) {
    long nanos = after.answeredAtNanos - before.askedAtNanos;
    boolean isOlder =
        after.counters.ageNanos() == PortCounters.UNSUPPORTED
            || after.counters.ageNanos() > nanos + AGE_ERROR_NANOS;
    return isOlder
        && after.counters.txPackets() - before.counters.txPackets() >= 0
        && after.counters.rxPackets() - before.counters.rxPackets() >= 0;
  }

  private static long errors(PortLook from, PortLook to) {
    return supported(from.counters.txErrors()) + supported(to.counters.rxErrors());
  }

  private static long supported(long counter) {
    return counter == PortCounters.UNSUPPORTED ? 0 : counter;
  }

  /** Whether the rule finds that packets are lost between the two counters. */
  boolean losesPackets() {
    int half = samples.size() / 2;
    return samples.size() >= LEAST_READINGS
        && isSignificant(loss(0, half), sent(0, half - 1), 1)
        && isSignificant(loss(half, samples.size()), sent(half, last()), 1);
  }

  /** Whether the rule finds that the ends count errors, of packets sent or received. */
  boolean countsErrors() {
    int half = samples.size() / 2;
    return samples.size() >= LEAST_READINGS
        && isSignificant(errors(0, half), sent(0, half), 1)
        && isSignificant(errors(half, last()), sent(half, last()), 1);
  }

  /** Whether less than half as much is lost or damaged in the window as makes a link lossy. */
  boolean isClean() {
    return samples.size() >= LEAST_READINGS
        && !isSignificant(Math.max(loss(0, samples.size()), errors()), sent(), 0.5);
  }

  private int last() {
    return samples.size() - 1;
  }

  /**
   * How many packets were lost between the first and the last of some readings, after allowances.
   */
  private double loss(int from, int to) {
    int count = averaged();
    double standardError = noise() * Math.sqrt(2.0 / count);
    return average(to - count, count) - average(from, count) - SIGMAS * standardError - inFlight();
  }

  private int averaged() {
    return Math.max(1, samples.size() / AVERAGES);
  }

  private double average(int from, int count) {
    double sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += samples.get(i).difference;
    }
    return sum / count;
  }

  /** The standard deviation of a difference, by that of the steps between successive ones. */
  private double noise() {
    double mean = (samples.get(last()).difference - samples.get(0).difference) / last();
    double squares = 0;
    for (int i = 1; i < samples.size(); i++) {
      double step = samples.get(i).difference - samples.get(i - 1).difference - mean;
      squares += step * step;
    }
    return Math.sqrt(squares / last() / 2);
  }

  /** The most packets that may be in flight, by the highest rate between two readings. */
  private double inFlight() {
    double packetsPerNano = 0;
    for (int i = 1; i < samples.size(); i++) {
      long nanos = Math.max(1, samples.get(i).atNanos - samples.get(i - 1).atNanos);
      packetsPerNano = Math.max(packetsPerNano, (double) sent(i - 1, i) / nanos);
    }
    return FEW_PACKETS + packetsPerNano * IN_FLIGHT_NANOS;
  }

  private long sent(int from, int to) {
    return samples.get(to).sent - samples.get(from).sent;
  }

  private long errors(int from, int to) {
    return samples.get(to).errors - samples.get(from).errors;
  }

  private static boolean isSignificant(double packets, long ofSent, double part) {
    return packets >= part * LEAST_PACKETS && packets * LOSS_ONE_IN >= part * ofSent;
  }

  /** Whether so many packets were sent of late that queues may have been full. */
  boolean isBusy() {
    return highestPps() >= BUSY_PPS;
  }

  /** The most packets a second that were sent between two readings of late; 0 if not known. */
  double highestPps() {
    double highest = 0;
    for (int i = Math.max(1, samples.size() - BUSY_INTERVALS); i < samples.size(); i++) {
      long nanos = Math.max(1, samples.get(i).atNanos - samples.get(i - 1).atNanos);
      highest = Math.max(highest, sent(i - 1, i) * SECOND_NANOS / nanos);
    }
    return highest;
  }

  /** Whether there are two readings at least, so that a rate is known. */
  boolean hasRate() {
    return samples.size() > 1;
  }

  /** How many packets were sent in the window. */
  long sent() {
    return samples.isEmpty() ? 0 : sent(0, last());
  }

  /** The part of the packets that was lost in the later half, as near as can be told. */
  double lostShare() {
    int half = samples.size() / 2;
    int count = averaged();
    if (samples.size() < LEAST_READINGS) {
      return 0;
    }
    double lost = average(samples.size() - count, count) - average(half, count);
    return Math.max(0, Math.min(1, lost / Math.max(1, sent(half, last() - count + 1))));
  }

  /** How many of them were lost for sure, whatever the clocks and the delays of the readings. */
  long lostAtLeast() {
    return samples.size() < 2
        ? 0
        : (long) Math.max(0, samples.get(last()).lower - samples.get(0).upper - inFlight());
  }

  /** How many errors the two ends counted in the window. */
  long errors() {
    return samples.isEmpty() ? 0 : Math.max(0, errors(0, last()));
  }

  /** For how long it has been measured, at most the window. */
  double seconds() {
    return samples.isEmpty()
        ? 0
        : (samples.get(last()).atNanos - samples.get(0).atNanos) / SECOND_NANOS;
  }
}
