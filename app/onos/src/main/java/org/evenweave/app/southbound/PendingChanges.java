package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;

/** What was asked of switches and is not confirmed, for those who look. Safe for many threads. */
public final class PendingChanges {
  private static final long DEFAULT_TIMEOUT_NANOS = 5_000_000_000L;

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong();
  private final AtomicLong confirmed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong sentAgain = new AtomicLong();
  private volatile LongSupplier timeoutNanos = () -> DEFAULT_TIMEOUT_NANOS;

  /** Changes of one device that were asked for together. */
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

    void sentAgain() {
      sentAgain.incrementAndGet();
    }

    void done(boolean inForce) {
      entries.remove(id);
      (inForce ? confirmed : failed).incrementAndGet();
    }
  }

  /** Sets how long a change may wait before it is given up; 5 s otherwise. */
  public void giveUpAfter(LongSupplier nanos) {
    timeoutNanos = nanos;
  }

  /** How long a change that is asked for now may wait. */
  long timeoutNanos() {
    return timeoutNanos.getAsLong();
  }

  Entry add(DeviceId device, List<SwitchOperation> operations) {
    Entry entry = new Entry(device, operations);
    entries.put(entry.id, entry);
    return entry;
  }

  /** What waits now. */
  public List<Entry> entries() {
    return new ArrayList<>(entries.values());
  }

  /** How many batches of changes were confirmed so far. */
  public long confirmedCount() {
    return confirmed.get();
  }

  /** How many were refused or given up so far. */
  public long failedCount() {
    return failed.get();
  }

  /** How many times ONOS had to be asked again for groups that did not come into force. */
  public long sentAgainCount() {
    return sentAgain.get();
  }
}
