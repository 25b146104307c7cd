package org.evenweave.app.southbound;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;

/** Changes requested of switches and not confirmed yet, and counts of outcomes. Thread-safe. */
public final class PendingChanges {
  private static final long DEFAULT_TIMEOUT_NANOS = 5_000_000_000L;

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong();
  private final Timer confirmations = new Timer();
  private final Counter refused = new Counter();
  private final Counter givenUp = new Counter();
  private final Counter unread = new Counter();
  private volatile LongSupplier timeoutNanos = () -> DEFAULT_TIMEOUT_NANOS;

  /** Changes of one device that were requested together. */
  public final class Entry {
    private final long id = nextId.getAndIncrement();
    private final long sinceNanos = System.nanoTime();
    private final DeviceId device;
    private final List<SwitchOperation> operations;

    private Entry(DeviceId device, List<SwitchOperation> operations) {
      this.device = device;
      this.operations = List.copyOf(operations);
    }

    public DeviceId device() {
      return device;
    }

    public List<SwitchOperation> operations() {
      return operations;
    }

    public long ageNanos() {
      return System.nanoTime() - sinceNanos;
    }

    void confirmed() {
      entries.remove(id);
      confirmations.update(ageNanos(), TimeUnit.NANOSECONDS);
    }

    /** The switch refused. */
    void refused() {
      entries.remove(id);
      refused.inc();
    }

    /** It timed out. */
    void givenUp() {
      entries.remove(id);
      givenUp.inc();
    }
  }

  /** Sets the timeout of changes; 5 s otherwise. */
  public void giveUpAfter(LongSupplier nanos) {
    timeoutNanos = nanos;
  }

  /** The timeout of a change that is requested now. */
  long timeoutNanos() {
    return timeoutNanos.getAsLong();
  }

  Entry add(DeviceId device, List<SwitchOperation> operations) {
    Entry entry = new Entry(device, operations);
    entries.put(entry.id, entry);
    return entry;
  }

  /** All that are pending now. */
  public List<Entry> entries() {
    return new ArrayList<>(entries.values());
  }

  /** A read of a switch failed or timed out. */
  void unread() {
    unread.inc();
  }

  /** Batches of changes confirmed so far, with their times. */
  public Timer confirmations() {
    return confirmations;
  }

  /** Batches refused by a switch so far. */
  public Counter refused() {
    return refused;
  }

  /** Batches timed out so far. */
  public Counter givenUp() {
    return givenUp;
  }

  /** Reads of switches that failed or timed out. */
  public Counter unreadable() {
    return unread;
  }
}
