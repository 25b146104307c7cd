package org.evenweave.sdd.session;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.protocol.ControlPacket;
import org.evenweave.sdd.protocol.ControllerMessages;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.PacketSlotBatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.SlotBatch;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.TriggerTarget;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;

/** A host's session: the SDD API over the protocol, and the host's last reports. */
public final class HostSession extends Client implements SddHost {
  private final int number;
  private final long linkBps;
  private final int maxQueues;
  private final int schemaVersion;
  private final List<IpPrefix> addresses;
  private final ControlPacket packet;
  private final DatagramSender.Destination datagrams;

  private volatile QueueDemand demand;
  private volatile HostClock clock;
  private final ClockDifference difference = new ClockDifference();
  private volatile Misses misses = Misses.NONE;
  private volatile Reason fallback = Reason.NONE;

  HostSession(
      Channel channel,
      String name,
      ClientLog log,
      int number,
      long linkBps,
      int maxQueues,
      int schemaVersion,
      List<IpPrefix> addresses,
      ControlPacket packet,
      DatagramSender.Destination datagrams) {
    super(name, channel, log);
    this.number = number;
    this.linkBps = linkBps;
    this.maxQueues = maxQueues;
    this.schemaVersion = schemaVersion;
    this.addresses = addresses;
    this.packet = packet;
    this.datagrams = datagrams;
  }

  @Override
  public int number() {
    return number;
  }

  /** The capacity of the host's link. */
  public long linkBps() {
    return linkBps;
  }

  /** How many queues the host has room for. */
  public int maxQueues() {
    return maxQueues;
  }

  /** Whether the host knows {@link #setPacketSlots}: older ones do not. */
  public boolean takesPacketSlots() {
    return schemaVersion >= WelcomeDecoder.packetDelayNsSinceVersion();
  }

  /** Whether the host knows {@link #endSetup}: older ones do not. */
  public boolean takesEndSetup() {
    return schemaVersion >= WelcomeDecoder.takeOverAfterPeriodsSinceVersion();
  }

  /** What the host says that its addresses are; whether they are is not said here. */
  public List<IpPrefix> addresses() {
    return addresses;
  }

  /** The last demand report, or null before the first. */
  public QueueDemand demand() {
    return demand;
  }

  /** The last clock status, or null before the first. */
  public HostClock clock() {
    return clock;
  }

  /**
   * Whether the host may be given slots: it has reported that its clock is right, and that is this
   * side's, too.
   *
   * @param guardNs the longest error that does no harm
   */
  public boolean keepsTime(long guardNs) {
    HostClock latest = clock;
    return latest != null && latest.isGood(guardNs) && sharesClock(guardNs);
  }

  /**
   * Whether its clock and this side's may be the same, by its messages. If not, no time that either
   * tells means anything to the other.
   *
   * @param guardNs the longest error that does no harm
   */
  public boolean sharesClock(long guardNs) {
    HostClock latest = clock;
    long boundNs = latest == null ? 0 : latest.errorBoundNs();
    // The bound of a host that does not know it is the largest number.
    return difference.isPlausible(guardNs + Math.min(boundNs, Long.MAX_VALUE - guardNs));
  }

  /** The host's time less this side's, with the least time that its messages have travelled. */
  public long clockDifferenceNs() {
    return difference.ns();
  }

  /** What was missed in this session. */
  public Misses misses() {
    return misses;
  }

  /**
   * Why the host follows its safe policy instead of the controller; {@code NONE} if it does not.
   */
  public Reason fallback() {
    return fallback;
  }

  /** How many datagrams were sent in this session. */
  public synchronized long datagramsSent() {
    return packet.lastSequence();
  }

  /** Datagrams that this side's own network did not take. */
  public long datagramsUnsent() {
    return datagrams.unsent();
  }

  void update(QueueDemand newDemand) {
    demand = newDemand;
  }

  void update(HostClock newClock) {
    clock = newClock;
  }

  /**
   * A message has come.
   *
   * @param hostNs when it was written, by the host's clock
   */
  void noteClock(long hostNs, long nowNs) {
    difference.add(hostNs, nowNs);
  }

  void update(Misses newMisses) {
    misses = newMisses;
  }

  void fellBack(Reason why) {
    fallback = why;
  }

  @Override
  public CompletableFuture<Reply> createQueue(int queue, QueueConfig config) {
    return request(id -> ControllerMessages.createQueue(id, queue, config));
  }

  @Override
  public CompletableFuture<Reply> removeQueue(int queue) {
    return request(id -> ControllerMessages.removeQueue(id, queue));
  }

  @Override
  public CompletableFuture<Reply> mapFlow(int queue, FlowMatch match, int flowPriority) {
    return request(id -> ControllerMessages.mapFlow(id, queue, match, flowPriority));
  }

  @Override
  public CompletableFuture<Reply> unmapFlow(FlowMatch match) {
    return request(id -> ControllerMessages.unmapFlow(id, match));
  }

  @Override
  public CompletableFuture<Reply> moveFlows(int fromQueue, int toQueue, FlowMatch match) {
    return request(id -> ControllerMessages.moveFlows(id, fromQueue, toQueue, match));
  }

  @Override
  public CompletableFuture<Reply> getQueuesForFlows(FlowMatch match) {
    return request(id -> ControllerMessages.getQueuesForFlows(id, match));
  }

  @Override
  public CompletableFuture<Reply> addDequeueCondition(int queue, String condition) {
    return request(id -> ControllerMessages.addDequeueCondition(id, queue, condition));
  }

  @Override
  public CompletableFuture<Reply> removeDequeueCondition(int queue, String condition) {
    return request(id -> ControllerMessages.removeDequeueCondition(id, queue, condition));
  }

  @Override
  public CompletableFuture<Reply> clearDequeueConditions(int queue) {
    return request(id -> ControllerMessages.clearDequeueConditions(id, queue));
  }

  @Override
  public CompletableFuture<List<QueueState>> queryQueues(int firstQueue, int count) {
    return query(id -> ControllerMessages.queryQueues(id, firstQueue, count));
  }

  @Override
  public CompletableFuture<Reply> addTrigger(
      int queue, TriggerTarget target, long cookie, String condition) {
    return request(id -> ControllerMessages.addTrigger(id, queue, target, cookie, condition));
  }

  @Override
  public CompletableFuture<Reply> removeTrigger(long trigger) {
    return request(id -> ControllerMessages.removeTrigger(id, trigger));
  }

  @Override
  public CompletableFuture<Reply> setSchedule(long period, SlotBatch slots) {
    return request(id -> ControllerMessages.setSchedule(id, period, slots));
  }

  @Override
  public CompletableFuture<Reply> setPacketSlots(long period, PacketSlotBatch slots) {
    return request(id -> ControllerMessages.setPacketSlots(id, period, slots));
  }

  @Override
  public CompletableFuture<Reply> endSetup() {
    return request(ControllerMessages::endSetup);
  }

  @Override
  public synchronized void start(int queue, long untilNs) {
    packet.start(queue, untilNs);
  }

  @Override
  public synchronized void stop(int queue) {
    packet.stop(queue);
  }

  @Override
  public synchronized void flush(long period, long nowNs) {
    datagrams.send(packet.seal(period, nowNs));
  }
}
