package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.PortCounters;
import org.junit.jupiter.api.Test;

/**
 * One direction of a link in virtual time: a sender with random load, packets in flight, losses,
 * and counters that are read at random moments, wrap around and are reset.
 */
class DirectionLossTest {
  private static final long MILLI_NANOS = 1_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long WINDOW_NANOS = 60 * SECOND_NANOS;
  private static final long PERIOD_NANOS = 2 * SECOND_NANOS;

  /** The two ends, told packet by packet in steps of time. */
  private static final class Link {
    final SplittableRandom random;
    final DirectionLoss loss = new DirectionLoss();
    long mostDelayNanos = 50 * MILLI_NANOS;
    double packetsPerSecond;
    double lossShare;
    long nowNanos = 100 * SECOND_NANOS;
    long ageStepNanos = MILLI_NANOS;
    long sent;
    long received;
    long lost;
    long senderBase;
    long receiverBase;
    long senderSinceNanos;
    long receiverSinceNanos;

    /** Sent, and neither received nor lost. */
    long underWay;

    double fraction;

    Link(long seed) {
      random = new SplittableRandom(seed);
      // Counters that wrap around within the test.
      senderBase = random.nextBoolean() ? -1 - random.nextLong(100_000) : random.nextLong(1L << 40);
      receiverBase =
          random.nextBoolean() ? -1 - random.nextLong(100_000) : random.nextLong(1L << 40);
    }

    void passTo(long atNanos) {
      while (nowNanos < atNanos) {
        // Few enough that what is under way is at most what the rule allows for.
        long step = Math.min(MILLI_NANOS, atNanos - nowNanos);
        nowNanos += step;
        fraction += packetsPerSecond * step / SECOND_NANOS;
        long packets = (long) fraction;
        fraction -= packets;
        received += underWay;
        underWay = 0;
        long gone = 0;
        for (long i = 0; i < packets && lossShare > 0; i++) {
          gone += random.nextDouble() < lossShare ? 1 : 0;
        }
        sent += packets;
        lost += gone;
        underWay = packets - gone;
      }
    }

    PortCounters sender() {
      return new PortCounters(0, senderBase + sent, 0, 0, 0, age(senderSinceNanos));
    }

    PortCounters receiver() {
      return new PortCounters(receiverBase + received, 0, 0, 0, 0, age(receiverSinceNanos));
    }

    /** In steps, as Open vSwitch counts in milliseconds and others in seconds. */
    private long age(long sinceNanos) {
      return ageStepNanos == 0
          ? PortCounters.UNSUPPORTED
          : (nowNanos - sinceNanos) / ageStepNanos * ageStepNanos;
    }

    /** Both ends are read twice, in any order and with any delay, but one time after the other. */
    void read() {
      long begin = nowNanos;
      PortLook[][] looks = new PortLook[2][2];
      for (int sweep = 0; sweep < 2; sweep++) {
        long asked = nowNanos;
        int first = random.nextInt(2);
        for (int end : new int[] {first, 1 - first}) {
          passTo(nowNanos + random.nextLong(mostDelayNanos));
          PortCounters counters = end == 0 ? sender() : receiver();
          passTo(nowNanos + random.nextLong(mostDelayNanos));
          looks[end][sweep] = new PortLook(counters, asked, nowNanos);
        }
      }
      loss.add(looks[0], looks[1], nowNanos, WINDOW_NANOS);
      passTo(Math.max(nowNanos, begin + PERIOD_NANOS));
    }

    /**
     * One that cannot be told where there are no ages, unless its counters are less than before.
     */
    private boolean mayRestart() {
      return ageStepNanos != 0;
    }

    void restartSender() {
      if (!mayRestart()) {
        return;
      }
      senderBase = -sent;
      senderSinceNanos = nowNanos;
    }

    void restartReceiver() {
      if (!mayRestart()) {
        return;
      }
      receiverBase = -received;
      receiverSinceNanos = nowNanos;
    }
  }

  private static PortCounters counters(long rxPackets, long txPackets, long rxErrors) {
    return new PortCounters(rxPackets, txPackets, rxErrors, 0, 0, PortCounters.UNSUPPORTED);
  }

  /** A reading of both ends at once. */
  private static void add(DirectionLoss loss, int i, PortCounters sender, PortCounters receiver) {
    long atNanos = i * PERIOD_NANOS;
    PortLook from = new PortLook(sender, atNanos, atNanos);
    PortLook to = new PortLook(receiver, atNanos, atNanos);
    loss.add(new PortLook[] {from, from}, new PortLook[] {to, to}, atNanos, WINDOW_NANOS);
  }

  @Property(tries = 200)
  void aLinkThatLosesNothingIsNeverLossyWhateverTheSkewTheLoadAndTheRestarts(@ForAll long seed) {
    Link link = new Link(seed);
    link.mostDelayNanos = 1 + link.random.nextLong(200 * MILLI_NANOS);
    link.ageStepNanos = link.random.nextInt(3) == 0 ? SECOND_NANOS : MILLI_NANOS;
    link.ageStepNanos = link.random.nextInt(3) == 0 ? 0 : link.ageStepNanos;
    for (int i = 0; i < 300; i++) {
      switch (link.random.nextInt(30)) {
        case 0:
          link.restartSender();
          break;
        case 1:
          link.restartReceiver();
          break;
        case 2:
          link.packetsPerSecond = 0;
          break;
        case 3:
        case 4:
          link.packetsPerSecond = Math.pow(10, 6 * link.random.nextDouble());
          break;
        default:
          break;
      }
      link.read();
      assertFalse(link.loss.losesPackets(), "seed " + seed + ", reading " + i);
      assertEquals(0, link.loss.lostAtLeast());
    }
  }

  /**
   * 0.1 % of independent losses at 1,000 packets a second, read as from Open vSwitch. By the rule's
   * own account too few are lost in one of a hundred cases in a half, so nearly all are found
   * within 60 s, and all within 120 s.
   */
  @Test
  void aTenthOfAPercentIsFoundWithinAMinute() {
    int found = 0;
    for (int seed = 0; seed < 300; seed++) {
      Link link = new Link(seed);
      link.packetsPerSecond = 1000;
      link.passTo(link.random.nextLong(PERIOD_NANOS));
      for (int i = 0; i < 40; i++) {
        link.read();
      }
      link.passTo(link.nowNanos + link.random.nextLong(PERIOD_NANOS));
      link.lossShare = 0.001;
      long since = link.nowNanos;
      while (!link.loss.losesPackets()) {
        link.read();
        assertTrue(link.nowNanos - since < 120 * SECOND_NANOS, "seed " + seed);
      }
      found += link.nowNanos - since <= 60 * SECOND_NANOS ? 1 : 0;
    }
    assertTrue(found >= 285, "found within a minute: " + found + " of 300");
  }

  @Property(tries = 200)
  void noMorePacketsAreReportedLostThanWere(@ForAll long seed) {
    Link link = new Link(seed);
    link.packetsPerSecond = Math.pow(10, 5 * link.random.nextDouble());
    link.lossShare = Math.pow(10, -4 * link.random.nextDouble());
    for (int i = 0; i < 60; i++) {
      link.read();
      assertTrue(link.loss.lostAtLeast() <= link.lost, "seed " + seed);
    }
  }

  @Test
  void aSteadyDelayIsNoLossAndNeitherIsItsFirstAppearance() {
    DirectionLoss loss = new DirectionLoss();
    // 1,000 packets a second and 400 ms: 400 packets are under way once traffic flows.
    for (int i = 0; i < 200; i++) {
      long sent = i < 50 ? 0 : 2000L * (i - 50);
      add(loss, i, counters(0, sent, 0), counters(Math.max(0, sent - 400), 0, 0));
      assertFalse(loss.losesPackets(), "reading " + i);
    }
  }

  @Test
  void errorsThatAPortCountsAreFound() {
    DirectionLoss loss = new DirectionLoss();
    for (int i = 0; i < 60; i++) {
      add(loss, i, counters(0, 2000L * i, 0), counters(2000L * i, 0, 10L * i));
    }
    assertTrue(loss.countsErrors());
    assertFalse(loss.losesPackets());
    assertEquals(10 * 30, loss.errors());
  }

  @Test
  void aSwitchWithoutTheCountersSaysNothing() {
    DirectionLoss loss = new DirectionLoss();
    PortCounters none = new PortCounters(-1, -1, -1, -1, -1, -1);
    PortCounters some = new PortCounters(5, 5, 0, 0, 0, 0);
    for (int i = 0; i < 20; i++) {
      add(loss, i, some, none);
    }
    assertFalse(loss.losesPackets());
    assertEquals(0, loss.sent());
  }
}
