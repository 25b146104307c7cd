package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.MessageReader;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.Action;
import org.evenweave.sdd.protocol.wire.CircuitConfigureDecoder;
import org.evenweave.sdd.protocol.wire.LeadershipDecoder;
import org.evenweave.sdd.protocol.wire.MapFlowDecoder;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.sdd.protocol.wire.SetScheduleDecoder;
import org.evenweave.sdd.protocol.wire.StartStopDecoder;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.UnmapFlowDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.ControlPacketReader;
import org.evenweave.sdd.session.VirtualServer;

/**
 * An honest host or circuit switch, as host/control has it: a connection to each controller, of
 * which it follows the one of the highest generation that welcomes it.
 */
final class VirtualClient {
  private static final int PORTS = 16;

  private final LongSupplier sharedClock;
  private final String name;
  private final Frame hello;
  private final List<VirtualServer> controllers;
  private final VirtualServer.Connection[] connections;
  private final long[] generations;
  private final boolean[] isLed;
  private final boolean[] waits;
  private final boolean[] told;
  private final MessageReader reader = new MessageReader();
  private int followed = -1;
  private long highest;
  private int begun;
  private ControlPacketReader packets;

  /** By address, the queue of what is for it. */
  private final Map<Integer, Long> queues = new HashMap<>();

  /** As a host, the slots that it was told: queue, start and end. */
  private final List<List<Long>> slots = new ArrayList<>();

  /** As a host, what STARTs opened: queue, start and end. */
  private final List<List<Long>> started = new ArrayList<>();

  /** As the circuit switch, what is up when, and the nights that it was told of. */
  private final VirtualCircuits circuits;

  private final List<Long> configurations = new ArrayList<>();

  VirtualClient(
      String name,
      Frame hello,
      List<VirtualServer> controllers,
      LongSupplier sharedClock,
      VirtualCircuits circuits) {
    this.sharedClock = sharedClock;
    this.circuits = circuits;
    this.name = name;
    this.hello = hello;
    this.controllers = controllers;
    this.connections = new VirtualServer.Connection[controllers.size()];
    this.generations = new long[controllers.size()];
    this.isLed = new boolean[controllers.size()];
    this.waits = new boolean[controllers.size()];
    this.told = new boolean[controllers.size()];
  }

  /** The controller that it follows; -1: none. */
  int followed() {
    return followed;
  }

  /** How many sessions it has had. */
  int begun() {
    return begun;
  }

  /** The queue of what is for the address that ends so; null if there is none. */
  Long queueTo(int lastByte) {
    return queues.get(lastByte);
  }

  /** The slots that it has been told since they were asked for last: queue, start and end each. */
  List<List<Long>> takeSlots() {
    List<List<Long>> told = List.copyOf(slots);
    slots.clear();
    return told;
  }

  /** The queues that STARTs opened, until the end that each has named: queue, start and end. */
  List<List<Long>> started() {
    return started;
  }

  /** The starts of the circuit switch's configurations that it was told since then. */
  List<Long> takeConfigurations() {
    List<Long> told = List.copyOf(configurations);
    configurations.clear();
    return told;
  }

  /** In its session. */
  void report(Frame frame) {
    if (followed >= 0) {
      connections[followed].send(frame);
    }
  }

  /** A datagram has come to its port; those of other sessions mean nothing. */
  void datagram(byte[] bytes) {
    StartStopDecoder message = packets == null ? null : packets.read(bytes);
    if (message == null) {
      return;
    }
    long nowNs = sharedClock.getAsLong();
    for (StartStopDecoder.CommandsDecoder command : message.commands()) {
      long queue = command.queue();
      if (command.action() == Action.START) {
        started.add(List.of(queue, nowNs, command.untilNs()));
      } else {
        for (List<Long> each : started) {
          assertTrue(each.get(0) != queue || each.get(2) <= nowNs, name + " is stopped too early");
        }
      }
    }
  }

  private boolean hears() {
    return followed >= 0;
  }

  /** Reads all that has come, and does what follows. */
  void act() {
    for (int c = 0; c < connections.length; c++) {
      if (connections[c] == null || !connections[c].isUp()) {
        ended(c);
        connections[c] = controllers.get(c).connect(name);
        isLed[c] = true;
        generations[c] = 0;
        waits[c] = false;
        connections[c].send(hello);
      }
      for (byte[] next = connections[c].receive(); next != null; next = connections[c].receive()) {
        read(c, next);
      }
      if (waits[c] && told[c] != hears()) {
        tell(c);
      }
    }
  }

  private void ended(int c) {
    if (followed == c) {
      followed = -1;
      queues.clear();
    }
  }

  private void tell(int c) {
    told[c] = hears();
    connections[c].send(ClientFrames.following(highest, hears()));
  }

  private void read(int c, byte[] message) {
    UnsafeBuffer buffer = new UnsafeBuffer(message);
    int template;
    try {
      template = reader.open(buffer, 0, message.length);
    } catch (ProtocolException e) {
      throw new AssertionError(e);
    }
    int body = reader.bodyOffset();
    int block = reader.blockLength();
    int version = reader.version();
    switch (template) {
      case LeadershipDecoder.TEMPLATE_ID:
        generations[c] = new LeadershipDecoder().wrap(buffer, body, block, version).generation();
        isLed[c] = generations[c] > 0 && generations[c] >= highest;
        waits[c] = !isLed[c];
        if (!isLed[c]) {
          tell(c);
        }
        return;
      case WelcomeDecoder.TEMPLATE_ID:
        if (isLed[c]) {
          begin(c);
          packets =
              new ControlPacketReader(new WelcomeDecoder().wrap(buffer, body, block, version));
        }
        return;
      case RefusedDecoder.TEMPLATE_ID:
        throw new AssertionError(name + " is refused");
      default:
        if (followed == c) {
          answer(c, template, buffer, body, block, version);
        }
    }
  }

  private void begin(int c) {
    highest = Math.max(highest, generations[c]);
    if (followed >= 0 && followed != c) {
      connections[followed].close();
      ended(followed);
    }
    followed = c;
    waits[c] = false;
    begun++;
  }

  private void answer(int c, int template, UnsafeBuffer buffer, int body, int block, int version) {
    if (template == MapFlowDecoder.TEMPLATE_ID) {
      MapFlowDecoder map = new MapFlowDecoder().wrap(buffer, body, block, version);
      queues.put((int) map.match().destination(15), map.queue());
    } else if (template == UnmapFlowDecoder.TEMPLATE_ID) {
      queues.remove(
          (int) new UnmapFlowDecoder().wrap(buffer, body, block, version).match().destination(15));
    } else if (template == SetScheduleDecoder.TEMPLATE_ID) {
      for (SetScheduleDecoder.SlotsDecoder slot :
          new SetScheduleDecoder().wrap(buffer, body, block, version).slots()) {
        slots.add(List.of(slot.queue(), slot.startNs(), slot.endNs()));
      }
    } else if (template == CircuitConfigureDecoder.TEMPLATE_ID) {
      configure(new CircuitConfigureDecoder().wrap(buffer, body, block, version));
    }
    long id = buffer.getLong(body, java.nio.ByteOrder.LITTLE_ENDIAN);
    connections[c].send(ClientFrames.reply(id, Status.OK, 0, 0, ""));
  }

  private void configure(CircuitConfigureDecoder order) {
    configurations.add(order.atNs());
    assertTrue(order.atNs() > sharedClock.getAsLong(), "a configuration for a time that is over");
    int[] outputOf = new int[PORTS];
    Arrays.fill(outputOf, Schedule.IDLE);
    for (CircuitConfigureDecoder.CircuitsDecoder circuit : order.circuits()) {
      outputOf[circuit.inputPort()] = circuit.outputPort();
    }
    circuits.configure(outputOf, order.atNs());
  }
}
