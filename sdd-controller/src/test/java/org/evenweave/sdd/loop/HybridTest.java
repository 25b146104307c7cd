package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.solstice.Solstice;
import org.junit.jupiter.api.Test;

/**
 * The loop in virtual time where what waits for circuits may take the packet switch: circuits of 1
 * Gb/s, and a tenth of that beside them.
 */
class HybridTest {
  private static final int HOSTS = 8;
  private static final long CIRCUIT_BPS = 1_000_000_000;
  private static final long PACKET_BPS = 100_000_000;
  private static final long PERIOD_NS = 10_000_000;
  private static final long NIGHT_NS = 90_000;
  private static final long GUARD_NS = 20_000;
  private static final long DELAY_NS = 500_000;
  private static final int PERIODS = 20;

  private static CircuitNetwork network(long packetBps) {
    return new CircuitNetwork(HOSTS, CIRCUIT_BPS, packetBps, NIGHT_NS, PERIOD_NS);
  }

  private static VirtualHosts hosts(boolean hybrid) {
    CircuitNetwork network = network(hybrid ? PACKET_BPS : 0);
    return new VirtualHosts(
        new Solstice(network),
        GUARD_NS,
        PERIOD_NS / 40,
        false,
        hybrid ? new PacketPlan(network, DELAY_NS) : null);
  }

  private static void stream(VirtualHosts hosts, boolean withinFours, double bps, Random random) {
    int peers = withinFours ? 3 : 4;
    for (int from = 0; from < HOSTS; from++) {
      for (int to = 0; to < HOSTS; to++) {
        if (from != to && (from / 4 == to / 4) == withinFours) {
          long startNs = hosts.nowNs() + (long) (random.nextDouble() * PERIOD_NS);
          hosts.stream(from, to, startNs, bps / peers);
        }
      }
    }
  }

  /** What the packet switch has carried so far, by source, then by destination. */
  private static double[] carried(VirtualHosts hosts) {
    double[] bytes = new double[2 * HOSTS];
    for (int from = 0; from < HOSTS; from++) {
      for (int to = 0; to < HOSTS; to++) {
        bytes[from] += hosts.packetSwitchBytes(from, to);
        bytes[HOSTS + to] += hosts.packetSwitchBytes(from, to);
      }
    }
    return bytes;
  }

  @Property(tries = 30)
  void accountsBalanceAndEachHostsCapacityIsKept(@ForAll long seed) {
    Random random = new Random(seed);
    VirtualHosts hosts = hosts(true);
    double offered = (0.2 + random.nextDouble()) * CIRCUIT_BPS;
    double[] before = carried(hosts);
    for (int period = 0; period < 2 * PERIODS; period++) {
      if (period % PERIODS == 0) {
        hosts.stopAll();
        stream(hosts, period == 0, offered, random);
      }
      hosts.period();
      double[] after = carried(hosts);
      for (int i = 0; i < after.length; i++) {
        // A byte for each pair, as what is carried is no whole number of bytes.
        double most = PACKET_BPS / 8e9 * PERIOD_NS + HOSTS;
        assertTrue(after[i] - before[i] <= most, after[i] - before[i] + " bytes in a period");
      }
      before = after;
      for (int from = 0; from < HOSTS; from++) {
        for (int to = 0; to < HOSTS; to++) {
          double received = hosts.receivedBytes(from, to);
          assertTrue(hosts.sentBytes(from, to) <= received + 1e-6);
          assertTrue(hosts.packetSwitchBytes(from, to) <= hosts.sentBytes(from, to) + 1e-6);
        }
      }
    }
  }

  @Property(tries = 30)
  void newStreamsNeedNotWaitForTheirCircuits(@ForAll long seed) {
    Random random = new Random(seed);
    VirtualHosts hosts = hosts(true);
    for (boolean withinFours : new boolean[] {true, false}) {
      // In the very first period no week was announced yet.
      hosts.period();
      hosts.stopAll();
      stream(hosts, withinFours, 0.96 * CIRCUIT_BPS, random);
      for (int period = 0; period < PERIODS; period++) {
        hosts.period();
      }
      for (int from = 0; from < HOSTS; from++) {
        for (int to = 0; to < HOSTS; to++) {
          if (hosts.streams(from, to)) {
            // No longer than the packet switch is closed before a circuit.
            assertTrue(hosts.waitedNs(from, to) <= DELAY_NS, hosts.waitedNs(from, to) + " ns");
          }
        }
      }
    }
  }

  @Test
  void whatThePacketSwitchCarriesAloneIsScheduledForNoCircuit() {
    VirtualHosts hosts = hosts(true);
    hosts.period();
    // Nine tenths of what a pair may always send.
    hosts.stream(0, 1, hosts.nowNs(), 0.9 * PACKET_BPS / 7 / 4);
    for (int period = 0; period < PERIODS; period++) {
      hosts.period();
      assertEquals(0, hosts.demand().total(), "in period " + period);
    }
    assertTrue(hosts.packetSwitchBytes(0, 1) > 0.95 * hosts.receivedBytes(0, 1));
  }

  /** The seeds of the figures in docs/reference/sdd.md. */
  private static final int RUNS = 60;

  private static double delivered(boolean hybrid, double offered) {
    double sent = 0;
    for (int seed = 1; seed <= RUNS; seed++) {
      VirtualHosts hosts = hosts(hybrid);
      stream(hosts, true, offered * CIRCUIT_BPS, new Random(seed));
      double before = 0;
      for (int period = 0; period < 2 * PERIODS; period++) {
        hosts.period();
        double all = 0;
        for (int pair = 0; pair < HOSTS * HOSTS; pair++) {
          all += hosts.sentBytes(pair / HOSTS, pair % HOSTS);
        }
        sent += period < PERIODS ? 0 : all - before;
        before = all;
      }
    }
    return sent * 8e9 / (PERIODS * (double) PERIOD_NS * HOSTS * CIRCUIT_BPS * RUNS);
  }

  @Test
  void overloadedHostsDeliverMoreByWhatThePacketSwitchMayCarry() {
    // As docs/reference/sdd.md says, to its last digit.
    assertEquals(0.975, delivered(false, 1.2), 0.0005);
    assertEquals(1.020, delivered(true, 1.2), 0.0005);
  }
}
