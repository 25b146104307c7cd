package org.evenweave.engine.packets;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Packets that wait for a thread which also has more important things to do: the thread's executor
 * is given one packet at a time, so that anything else waits for at most one of them, however many
 * have come. Bounded in number and in bytes. Safe for many threads.
 */
public final class PacketQueue {
  private final Executor executor;
  private final int maxPackets;
  private final long maxBytes;
  private final Queue<Packet> packets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();

  private static final class Packet {
    final int bytes;
    final Runnable handling;

    Packet(int bytes, Runnable handling) {
      this.bytes = bytes;
      this.handling = handling;
    }
  }

  /**
   * @param executor of one thread
   */
  public PacketQueue(Executor executor, int maxPackets, long maxBytes) {
    this.executor = executor;
    this.maxPackets = maxPackets;
    this.maxBytes = maxBytes;
  }

  /** Adds the handling of a packet, unless too much is waiting; returns whether it was added. */
  public boolean add(int bytes, Runnable handling) {
    if (waiting.get() >= maxPackets || waitingBytes.get() + bytes > maxBytes) {
      return false;
    }
    packets.add(new Packet(bytes, handling));
    waitingBytes.addAndGet(bytes);
    if (waiting.getAndIncrement() == 0) {
      executor.execute(this::handleNext);
    }
    return true;
  }

  private void handleNext() {
    Packet packet = packets.remove();
    try {
      packet.handling.run();
    } finally {
      waitingBytes.addAndGet(-packet.bytes);
      if (waiting.decrementAndGet() > 0) {
        executor.execute(this::handleNext);
      }
    }
  }
}
