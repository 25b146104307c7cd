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

/** What was asked of switches and is not confirmed, for those who look. Safe for many threads. */
public final class PendingChanges {
  private static final long DEFAULT_TIMEOUT_NANOS = 5_000_000_000L;

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong();
  private final Timer confirmations = new Timer();
  private final Counter refused = new Counter();
  private final Counter givenUp = new Counter();
  private final Counter sentAgain = new Counter();
  private final Counter unread = new Counter();
  private final Counter undone = new Counter();
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
      sentAgain.inc();
    }

    void confirmed() {
      entries.remove(id);
      confirmations.update(ageNanos(), TimeUnit.NANOSECONDS);
    }

    /** A switch, or ONOS, said no. */
    void refused() {
      entries.remove(id);
      refused.inc();
    }

    /** It was not confirmed in time. */
    void givenUp() {
      entries.remove(id);
      givenUp.inc();
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

  /** A switch could not be read, or not in time. */
  void unread() {
    unread.inc();
  }

  /** ONOS undid a change, which was made again. */
  void undone() {
    undone.inc();
  }

  /** How many batches of changes were confirmed so far, and after what time each. */
  public Timer confirmations() {
    return confirmations;
  }

  /** How many were refused by a switch, or by ONOS, so far. */
  public Counter refused() {
    return refused;
  }

  /** How many were not confirmed in time so far. */
  public Counter givenUp() {
    return givenUp;
  }

  /** How many times ONOS had to be asked again for groups that did not come into force. */
  public Counter sentAgain() {
    return sentAgain;
  }

  /** How many times a switch was to be read and could not be, or not in time. */
  public Counter unreadable() {
    return unread;
  }

  /** How many times ONOS undid the change of a group or rule, and it was made again. */
  public Counter undoings() {
    return undone;
  }
}
