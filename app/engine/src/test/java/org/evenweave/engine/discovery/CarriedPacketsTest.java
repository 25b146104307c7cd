package org.evenweave.engine.discovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.TopologyListener;
import org.junit.jupiter.api.Test;

/** Links whose probes do not arrive, by what their ports count. */
class CarriedPacketsTest {
  private final CarriedPackets carried = new CarriedPackets();

  private void look(long sent, long received) {
    carried.sent(counters(0, sent));
    carried.received(counters(received, 0));
  }

  private static PortCounters counters(long received, long sent) {
    return new PortCounters(received, sent, 0, 0, 0, PortCounters.UNSUPPORTED);
  }

  @Test
  void mostOfMuchArrivesByALinkBehindAFullQueue() {
    look(1000, 990);
    assertFalse(carried.areMost(), "one look");
    look(1400, 1389);
    assertTrue(carried.areMost());
    look(1800, 1650);
    assertFalse(carried.areMost(), "a third is lost");
  }

  @Test
  void aSilentLinkCarriesNothingWhateverItCarriedBefore() {
    look(1000, 1000);
    look(1500, 1500);
    look(2000, 1500);
    assertFalse(carried.areMost());
    look(2000, 1500);
    assertFalse(carried.areMost(), "nothing is sent any more");
  }

  @Test
  void fewPacketsAndPortsThatDoNotCountSayNothing() {
    look(0, 0);
    look(CarriedPackets.LEAST_PACKETS - 1, CarriedPackets.LEAST_PACKETS - 1);
    assertFalse(carried.areMost());
    look(5000, 5000);
    carried.sent(null);
    carried.received(null);
    assertFalse(carried.areMost());
    look(9000, 9000);
    assertFalse(carried.areMost(), "again one look");
    look(10, 10);
    assertFalse(carried.areMost(), "counts anew");
  }

  /** A fabric of one link, a/1 to b/7, whose probes do not arrive any more. */
  private static final class QueuedLink implements LinkDiscovery.Outlet, TopologyListener {
    final LinkDiscovery discovery = new LinkDiscovery(this, this);
    final List<String> lost = new ArrayList<>();
    final Map<String, byte[]> last = new HashMap<>();
    boolean probesPass = true;
    boolean packetsPass = true;
    long sent;
    long received;
    int looks;

    @Override
    public void send(String switchId, Map<Integer, byte[]> frames) {
      frames.values().forEach(frame -> last.put(switchId, frame));
    }

    @Override
    public void count(String switchId) {
      looks++;
      int port = switchId.equals("a") ? 1 : 7;
      discovery.counted(switchId, Map.of(port, counters(received, sent)));
    }

    void round() {
      sent += 100;
      received += packetsPass ? 95 : 0;
      discovery.nextRound(0);
      discovery.probesSent("a");
      discovery.probesSent("b");
      if (probesPass) {
        discovery.received("b", 7, last.get("a"), 0);
        discovery.received("a", 1, last.get("b"), 0);
      }
    }

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {
      lost.add(from + ">" + to);
    }

    @Override
    public void linkSeen(String from, int fromPort, String to, int toPort, long atNanos) {}

    @Override
    public void switchUp(String switchId, long atNanos) {}

    @Override
    public void switchDown(String switchId, long atNanos) {}

    @Override
    public void portChanged(String switchId, int port, boolean up, long bps, long atNanos) {}

    @Override
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {}
  }

  @Test
  void aLinkWhoseProbesAQueueDropsIsLostWhenNothingPassesAnyMore() {
    QueuedLink link = new QueuedLink();
    link.discovery.portUp("a", 1);
    link.discovery.portUp("b", 7);
    link.round();
    link.round();
    assertTrue(link.looks == 0, "nobody is asked while probes pass");
    link.probesPass = false;
    for (int i = 0; i < 20; i++) {
      link.round();
    }
    assertTrue(link.lost.isEmpty(), link.lost.toString());
    link.packetsPass = false;
    link.round();
    link.round();
    assertTrue(link.lost.containsAll(List.of("a>b", "b>a")), link.lost.toString());
  }
}
