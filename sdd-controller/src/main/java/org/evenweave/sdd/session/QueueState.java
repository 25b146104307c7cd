package org.evenweave.sdd.session;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.protocol.wire.Network;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;

/** The statistics of one SDDQueue (Tewari 2015, section 5.3.2) at one moment. Immutable. */
public final class QueueState {
  private final int queue;
  private final int priority;
  private final boolean throughPacketSwitch;
  private final long drainRateBps;
  private final long flows;
  private final long queuedPackets;
  private final long queuedBytes;
  private final long sentPackets;
  private final long sentBytes;
  private final long receivedPackets;
  private final long receivedBytes;
  private final long droppedPackets;
  private final long lastXmitNs;
  private final long lastRecvNs;
  private final long packetSwitchPackets;
  private final long packetSwitchBytes;

  private QueueState(QueueStatsDecoder.QueuesDecoder row) {
    queue = (int) row.queue();
    priority = row.priority();
    throughPacketSwitch = row.network() == Network.PACKET;
    drainRateBps = row.drainRateBps();
    flows = row.flows();
    queuedPackets = row.queuedPackets();
    queuedBytes = row.queuedBytes();
    sentPackets = row.sentPackets();
    sentBytes = row.sentBytes();
    receivedPackets = row.receivedPackets();
    receivedBytes = row.receivedBytes();
    droppedPackets = row.droppedPackets();
    lastXmitNs = row.lastXmitNs();
    lastRecvNs = row.lastRecvNs();
    packetSwitchPackets = Math.max(0, row.packetSwitchPackets());
    packetSwitchBytes = Math.max(0, row.packetSwitchBytes());
  }

  static List<QueueState> of(QueueStatsDecoder message) {
    List<QueueState> states = new ArrayList<>();
    for (QueueStatsDecoder.QueuesDecoder row : message.queues()) {
      states.add(new QueueState(row));
    }
    return states;
  }

  public int queue() {
    return queue;
  }

  public int priority() {
    return priority;
  }

  /** Whether its packets are marked for the packet switch. */
  public boolean throughPacketSwitch() {
    return throughPacketSwitch;
  }

  /** 0: no limit. */
  public long drainRateBps() {
    return drainRateBps;
  }

  public long flows() {
    return flows;
  }

  public long queuedPackets() {
    return queuedPackets;
  }

  public long queuedBytes() {
    return queuedBytes;
  }

  public long sentPackets() {
    return sentPackets;
  }

  public long sentBytes() {
    return sentBytes;
  }

  /** Received from applications. */
  public long receivedPackets() {
    return receivedPackets;
  }

  public long receivedBytes() {
    return receivedBytes;
  }

  public long droppedPackets() {
    return droppedPackets;
  }

  /** 0 if it never transmitted. */
  public long lastXmitNs() {
    return lastXmitNs;
  }

  /** 0 if it never received a packet. */
  public long lastRecvNs() {
    return lastRecvNs;
  }

  /** Of the packets sent, those that left by the packet switch; 0 from hosts that do not say it. */
  public long packetSwitchPackets() {
    return packetSwitchPackets;
  }

  /** Their bytes. */
  public long packetSwitchBytes() {
    return packetSwitchBytes;
  }
}
