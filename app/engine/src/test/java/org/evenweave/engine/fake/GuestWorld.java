package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Guests at the host ports of a fake network, behind a bridge each port: they answer ARP, and what
 * they send goes by the tables that the switches have at the time.
 *
 * <pre>
 *   guest  guest     guest
 *      \    /          |
 *      bridge       bridge
 *         |            |
 *      port 1000    port 1001   of a leaf
 * </pre>
 */
public final class GuestWorld {
  private static final long MILLI_NANOS = 1_000_000L;
  private static final int MOST_HOPS = 16;

  /** One guest. All its addresses are of its leaf's prefix. */
  public final class Guest {
    public final String leaf;
    public final long mac;
    public final List<Integer> addresses = new ArrayList<>();
    public int port;
    public boolean isOn;

    /** Whether somebody else answered for an address that this one probed. */
    public boolean hasConflict;

    /** When it was on last. */
    long onAtNanos = Long.MIN_VALUE / 2;

    private final Set<Integer> received = new HashSet<>();

    private Guest(String leaf, long mac) {
      this.leaf = leaf;
      this.mac = mac;
    }

    public int address() {
      return addresses.get(0);
    }

    /** Whether it is on, or was so late that somebody may have been told it is. */
    boolean wasOnSince(long nanos) {
      return isOn || onAtNanos >= nanos;
    }

    /** Turns it on or off; nothing is sent, and its port stays up. */
    public void turn(boolean on) {
      if (isOn) {
        onAtNanos = loop.nanoTime();
      }
      isOn = on;
    }

    /** Asks whether its addresses are free (RFC 5227), without using them yet. */
    public void probe() {
      hasConflict = false;
      addresses.forEach(address -> send(PlainFrame.request(mac, 0, address)));
    }

    /** Gratuitous ARP for its addresses. */
    public void announce() {
      addresses.forEach(address -> send(PlainFrame.request(mac, address, address)));
    }

    /** As its hypervisor does for it. */
    public void announceByRarp() {
      send(PlainFrame.announcement(mac));
    }

    /** Says that an address is its own that is not. */
    public void claim(int address) {
      send(PlainFrame.request(mac, address, address));
    }

    /** Asks for a neighbour's MAC address. */
    public void ask(int address) {
      send(PlainFrame.request(mac, address(), address));
    }

    /** Sends a packet to an address, by the gateway that it has in its ARP cache. */
    public void sendTo(int address, int number) {
      send(PlainFrame.packet(Gateway.MAC, mac, address(), address, number));
    }

    /** Sends a packet to whatever MAC address, with whatever source and tag. */
    public void sendOdd(long toMac, long fromMac, int source, int destination, int vlan, int n) {
      PlainFrame frame = PlainFrame.packet(toMac, fromMac, source, destination, n);
      send(vlan == 0 ? frame : frame.tagged(vlan));
    }

    @Override
    public String toString() {
      String place = " at " + leaf + "/" + port + (isOn ? "" : ", off");
      return addresses.stream().map(Ipv4Prefix::format).collect(Collectors.joining(",")) + place;
    }

    public boolean hasReceived(int number) {
      return received.contains(number);
    }

    private void send(PlainFrame frame) {
      fromHost(leaf, port, frame);
    }

    private void receive(PlainFrame frame) {
      if (frame.to() != mac && !frame.isBroadcast()) {
        return;
      }
      if (frame.type() == PlainFrame.IPV4 && isOn && addresses.contains(frame.destination())) {
        received.add(frame.number());
      } else if (frame.type() == PlainFrame.ARP) {
        arp(frame);
      }
    }

    private void arp(PlainFrame frame) {
      if (frame.operation() == 1 && isOn && addresses.contains(frame.target())) {
        if (frame.senderMac() != mac) {
          send(frame.answer(mac));
        }
      } else if (frame.operation() == 2) {
        hasConflict |= addresses.contains(frame.sender()) && frame.senderMac() != mac;
        answers.add(new Answer(this, frame.sender(), frame.senderMac(), loop.nanoTime()));
      }
    }
  }

  /** An ARP reply that a guest got. */
  public static final class Answer {
    public final Guest to;
    public final int address;
    public final long mac;
    public final long atNanos;

    private Answer(Guest to, int address, long mac, long atNanos) {
      this.to = to;
      this.address = address;
      this.mac = mac;
      this.atNanos = atNanos;
    }
  }

  private final Fabric fabric;
  private final FakeNetwork network;
  private final VirtualLoop loop;
  private final SplittableRandom random;
  private final List<Guest> guests = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private int lastNumber;

  public GuestWorld(Fabric fabric, FakeNetwork network, VirtualLoop loop, SplittableRandom random) {
    this.fabric = fabric;
    this.network = network;
    this.loop = loop;
    this.random = random;
    network.onSentFrame =
        (end, frame) -> arrive(end.switchId(), end.number(), new PlainFrame(frame));
  }

  public List<Guest> guests() {
    return guests;
  }

  /** All ARP replies that guests got since the last call. */
  public List<Answer> answers() {
    List<Answer> all = List.copyOf(answers);
    answers.clear();
    return all;
  }

  /** A guest that is off. */
  public Guest add(String leaf, int port, int... addresses) {
    Guest guest = new Guest(leaf, 0x0200_0000_0100L + guests.size());
    for (int address : addresses) {
      guest.addresses.add(address);
    }
    guest.port = port;
    guests.add(guest);
    return guest;
  }

  /** A number that no packet has had. */
  public int nextNumber() {
    return ++lastNumber;
  }

  /** Whether some guest with the address is on, or was since a time. */
  public boolean isTakenSince(int address, long nanos) {
    return guests.stream()
        .anyMatch(guest -> guest.addresses.contains(address) && guest.wasOnSince(nanos));
  }

  /** A bridge hands a frame that its switch sends to all guests behind it. */
  private void arrive(String switchId, int port, PlainFrame frame) {
    loop.schedule(
        () -> {
          for (Guest guest : guests) {
            if (guest.leaf.equals(switchId) && guest.port == port) {
              guest.receive(frame);
            }
          }
        },
        random.nextLong(2 * MILLI_NANOS));
  }

  private void fromHost(String switchId, int port, PlainFrame frame) {
    loop.schedule(() -> enter(switchId, port, frame), random.nextLong(2 * MILLI_NANOS));
  }

  /** A frame comes in at a switch's port, and goes on as far as it gets. */
  private void enter(String switchId, int port, PlainFrame frame) {
    String here = switchId;
    int inPort = port;
    for (int hop = 0; hop < MOST_HOPS; hop++) {
      SwitchTables tables = network.tables(here);
      FlowRule rule = PlainSwitch.lookup(tables, inPort, frame);
      if (rule != null && rule.action() == FlowRule.Action.LOOK_UP_AGAIN) {
        rule = PlainSwitch.lookup(tables, inPort, frame.admitted());
      }
      if (rule == null || rule.action() == FlowRule.Action.DROP) {
        return;
      }
      switch (rule.action()) {
        case TO_CONTROLLER:
          if (network.isConnected(here)) {
            network.packetIn(here, inPort, frame.bytes);
          }
          return;
        case DELIVER:
          if (rule.outPort() != inPort) {
            arrive(here, rule.outPort(), frame.with(rule.destinationMac(), rule.sourceMac()));
          }
          return;
        case DELIVER_BACK:
          arrive(here, inPort, frame.with(rule.destinationMac(), rule.sourceMac()));
          return;
        case ANSWER_ARP:
          return;
        default:
          break;
      }
      int[] ports = tables.outPorts(rule);
      int arc = arcAt(fabric.indexOf(here), ports[random.nextInt(ports.length)]);
      here = fabric.switchId(fabric.to(arc));
      inPort = fabric.port(arc ^ 1);
    }
  }

  private int arcAt(int s, int port) {
    for (int i = 0; i < fabric.outDegree(s); i++) {
      if (fabric.port(fabric.outArc(s, i)) == port) {
        return fabric.outArc(s, i);
      }
    }
    throw new AssertionError("no link at " + fabric.switchId(s) + "/" + port);
  }
}
