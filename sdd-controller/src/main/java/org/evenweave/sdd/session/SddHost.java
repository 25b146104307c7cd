package org.evenweave.sdd.session;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.PacketSlotBatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.SlotBatch;
import org.evenweave.sdd.protocol.wire.TriggerTarget;

/**
 * The SDD API of one host (Tewari 2015, section 5.3.3): which flows go to which SDDQueue, and when
 * each queue may transmit.
 *
 * <p>Requests go through the session, in order. Their futures complete when the host has answered,
 * with {@link RequestException} if the host refused or is not connected; a caller that must not
 * block may ignore them. {@link #start}, {@link #stop} and {@link #flush} are the control packets
 * of tight coupling: datagrams, unanswered. All methods may be called from any thread.
 */
public interface SddHost {
  /** The host's number, which is also its queue's at the other hosts. */
  int number();

  /** Opens the queue, or configures the one there is. */
  CompletableFuture<Reply> createQueue(int queue, QueueConfig config);

  /** Closes a queue without packets and mappings. */
  CompletableFuture<Reply> removeQueue(int queue);

  /**
   * MapFlow: flows that match go to the queue, unless a more specific mapping matches.
   *
   * @param flowPriority 0 to 7: the flows' priority in a queue of strict priority
   */
  CompletableFuture<Reply> mapFlow(int queue, FlowMatch match, int flowPriority);

  /** Removes the mapping of exactly these flows. */
  CompletableFuture<Reply> unmapFlow(FlowMatch match);

  /** MoveFlows: moves the mapping of exactly these flows, and their packets, to another queue. */
  CompletableFuture<Reply> moveFlows(int fromQueue, int toQueue, FlowMatch match);

  /** GetQueuesForFlows: in {@link Reply#queues}. */
  CompletableFuture<Reply> getQueuesForFlows(FlowMatch match);

  /**
   * AddDequeueCondition: the queue may transmit while one of its conditions is true.
   *
   * @param condition text of the grammar (section 5.3.4)
   */
  CompletableFuture<Reply> addDequeueCondition(int queue, String condition);

  /** RemoveDequeueCondition: removes one that is equal. */
  CompletableFuture<Reply> removeDequeueCondition(int queue, String condition);

  /** Removes all conditions of a queue. */
  CompletableFuture<Reply> clearDequeueConditions(int queue);

  /**
   * The statistics of the queues that there are from {@code firstQueue} on.
   *
   * @param count 1 to 2,000
   */
  CompletableFuture<List<QueueState>> queryQueues(int firstQueue, int count);

  /**
   * A trigger fires whenever the condition becomes true.
   *
   * @param cookie a value that the event carries
   * @return in {@link Reply#value} the trigger's number
   */
  CompletableFuture<Reply> addTrigger(
      int queue, TriggerTarget target, long cookie, String condition);

  /** Removes a trigger. */
  CompletableFuture<Reply> removeTrigger(long trigger);

  /**
   * Adds slots, which leave by themselves.
   *
   * @param period the period that they belong to
   * @param slots copied
   */
  CompletableFuture<Reply> setSchedule(long period, SlotBatch slots);

  /**
   * Adds packet slots, which leave by themselves: while a queue of circuits is shut, it may
   * transmit by the packet switch in them.
   *
   * @param period the period that they belong to
   * @param slots copied
   */
  CompletableFuture<Reply> setPacketSlots(long period, PacketSlotBatch slots);

  /**
   * Ends the queues and mappings of the sessions before that this one has not set up again, once
   * all are: their packets go where the flows are mapped now.
   */
  CompletableFuture<Reply> endSetup();

  /**
   * Puts a START into the next control packet.
   *
   * @param untilNs when the queue closes by itself, or {@code ControlPacket.FOREVER_NS}
   */
  void start(int queue, long untilNs);

  /** Puts a STOP into the next control packet. */
  void stop(int queue);

  /**
   * Sends the control packet now; without commands it is a heartbeat.
   *
   * @param period the current one
   * @param nowNs the time by the shared clock
   */
  void flush(long period, long nowNs);
}
