package org.evenweave.sdd.loop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.session.FakeCircuitSwitch;
import org.evenweave.sdd.session.FakeHost;
import org.evenweave.sdd.session.SessionBed;

/** Three hosts and the switch; each host reports every period what the test sets. */
public final class FakeCircuitNetwork implements AutoCloseable {
  static final long PERIOD_NS = 50_000_000;
  static final long GUARD_NS = 500_000;

  /**
   * A configuration of three hosts and a switch.
   *
   * @param more further fields, each behind a comma
   */
  public static SddConfig config(Path temporary, String more) throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    Path file = temporary.resolve("sdd.json");
    String json =
        "{\"hosts\": [\"h0\", \"h1\", \"h2\"], \"circuitSwitch\": \"cs\","
            + "\"listen\": \"127.0.0.1:0\", \"keys\": \""
            + keys.getFileName()
            + "\", \"periodNs\": "
            + PERIOD_NS
            + ", \"nightNs\": 1000000, \"guardNs\": "
            + GUARD_NS
            + more
            + "}";
    Files.writeString(file, json, StandardCharsets.UTF_8);
    return SddConfigReader.read(file);
  }

  /** Further fields: 60 Mb/s through the packet switch, and the circuit class "urgent". */
  public static final String HYBRID_WITH_A_CLASS =
      ", \"hybrid\": {\"packetDelayNs\": 1000000, \"bps\": 60000000}, \"circuitClasses\":"
          + " [{\"name\": \"urgent\", \"priority\": 7, \"flows\": [{\"protocol\": 6}]}]";

  public final List<FakeHost> hosts = new ArrayList<>();
  public final FakeCircuitSwitch circuitSwitch;
  private static final int QUEUES = 10;

  /** By source and queue. */
  private final AtomicLongArray queued = new AtomicLongArray(3 * QUEUES);

  private final Thread reporter = new Thread(this::report, "reporter");
  private volatile boolean silent;

  public FakeCircuitNetwork(SddController controller, Path temporary) throws Exception {
    Path keys = temporary.resolve("keys");
    circuitSwitch = new FakeCircuitSwitch(controller.address(), keys, "cs", "h0", "h1", "h2");
    for (int i = 0; i < 3; i++) {
      hosts.add(new FakeHost(controller.address(), keys, "h" + i, i + 1));
    }
    SessionBed.await("hosts", () -> controller.sessions().connected() == 3);
    reporter.start();
  }

  /** What waits in a queue, which has a destination's number. */
  public void queue(int source, int destination, long bytes) {
    queued.set(QUEUES * source + destination, bytes);
  }

  private void report() {
    long last = -1;
    while (!silent) {
      long period = hosts.get(0).periodNow();
      if (period != last) {
        last = period;
        try {
          for (int source = 0; source < 3; source++) {
            List<long[]> rows = new ArrayList<>();
            for (int destination = 0; destination < QUEUES; destination++) {
              long bytes = queued.get(QUEUES * source + destination);
              if (bytes > 0) {
                rows.add(new long[] {destination, bytes, bytes, 0});
              }
            }
            hosts.get(source).report(period, rows.toArray(new long[0][]));
          }
        } catch (IOException e) {
          return;
        }
      }
      LockSupport.parkNanos(200_000);
    }
  }

  @Override
  public void close() throws IOException {
    silent = true;
    try {
      reporter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (FakeHost host : hosts) {
      host.close();
    }
    circuitSwitch.close();
  }
}
