package org.evenweave.sdd.session;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The connected clients. Thread-safe. */
public final class Sessions {
  private final AtomicReferenceArray<HostSession> hosts;
  private final AtomicReference<CircuitSession> circuitSwitch = new AtomicReference<>();

  Sessions(int count) {
    hosts = new AtomicReferenceArray<>(count);
  }

  /** A host's session, or null. */
  public HostSession host(int number) {
    return hosts.get(number);
  }

  /** The circuit switch's session, or null. */
  public CircuitSession circuitSwitch() {
    return circuitSwitch.get();
  }

  /** How many hosts are connected. */
  public int connected() {
    int connected = 0;
    for (int number = 0; number < hosts.length(); number++) {
      connected += hosts.get(number) != null ? 1 : 0;
    }
    return connected;
  }

  /** The newer session ends the older one. */
  void add(HostSession host) {
    endOf(hosts.getAndSet(host.number(), host));
  }

  void add(CircuitSession newSwitch) {
    endOf(circuitSwitch.getAndSet(newSwitch));
  }

  /** Ends all sessions. */
  public void endAll() {
    for (int number = 0; number < hosts.length(); number++) {
      endOf(hosts.get(number));
    }
    endOf(circuitSwitch.get());
  }

  private static void endOf(Client older) {
    if (older != null) {
      older.close();
    }
  }

  void remove(HostSession host) {
    hosts.compareAndSet(host.number(), host, null);
  }

  void remove(CircuitSession oldSwitch) {
    circuitSwitch.compareAndSet(oldSwitch, null);
  }
}
