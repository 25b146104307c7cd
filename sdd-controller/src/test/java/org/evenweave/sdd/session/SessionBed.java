package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.evenweave.sdd.handover.PolicyExchange;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.IpAddress;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.TlsIdentity;

/** A session server on loopback with the keys of three hosts and a circuit switch. */
public final class SessionBed implements AutoCloseable {
  static final List<String> HOSTS = List.of("h0", "h1", "h2");
  static final String SWITCH = "cs";

  /** After this a test hangs; what it waits for takes milliseconds on an idle machine. */
  public static final long HANG_SECONDS = 300;

  /** How long a session may be silent, or 5 s if that is longer. */
  private static final long SILENT_PERIODS = 10;

  /** The digest of its controller's configuration. */
  static final String CONFIGURATION = "as here";

  final Path keys;

  /** The controller's. */
  final TlsIdentity tls;

  final List<String> events = new CopyOnWriteArrayList<>();
  final Edges edges =
      new Edges(
          List.of("h0"),
          Map.of("h0", IpAddress.of("192.0.2.1"), "h1", IpAddress.of("192.0.2.2")),
          EdgeOrder.of(JsonNodeFactory.instance.objectNode()));
  final Leadership leadership = new Leadership(System::nanoTime, HOSTS.size() + 1, new Quiet());
  final SessionServer server;
  private final Controllers controllers;

  private static final class Quiet implements Leadership.Listener {
    @Override
    public void leads(long generation) {
      // There is no loop to start.
    }

    @Override
    public void standsBy() {
      // Nor one to stop.
    }
  }

  static final class NothingChanged implements PolicyExchange {
    private final PolicyState configured =
        PolicyState.configured(
            JsonNodeFactory.instance.objectNode(),
            JsonNodeFactory.instance.arrayNode(),
            JsonNodeFactory.instance.objectNode());

    @Override
    public PolicyState newest() {
      return configured;
    }

    @Override
    public boolean isInForce() {
      return true;
    }

    @Override
    public void offered(PolicyState state) {
      // Nobody offers anything.
    }
  }

  /** Its controller leads, and ends no session in which it hears nothing before a test hangs. */
  SessionBed(Path temporary) throws IOException {
    this(temporary, true, TimeUnit.SECONDS.toNanos(HANG_SECONDS) / SILENT_PERIODS);
  }

  /** One that ends a session in which it hears nothing for 5 s. */
  SessionBed(Path temporary, boolean leads) throws IOException {
    this(temporary, leads, 50_000_000);
  }

  private SessionBed(Path temporary, boolean leads, long periodNs) throws IOException {
    if (leads) {
      leadership.lead();
    }
    keys = keys(temporary.resolve("keys"));
    tls = TlsIdentity.read(keys);
    SharedClock clock = SharedClock.monotonic();
    SessionTerms terms =
        new SessionTerms(
            clock.kind(), clock.nowNs(), periodNs, 1_000_000, 4, 2, SafePolicy.OPEN, 0, 0);
    controllers = new Controllers(List.of(), tls, new NothingChanged(), CONFIGURATION, leadership);
    server =
        new SessionServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            tls,
            new Directory(HOSTS, SWITCH),
            edges,
            leadership,
            controllers,
            terms,
            clock,
            new SessionListener() {
              @Override
              public void hostUp(HostSession host) {
                events.add("up " + host.name());
              }

              @Override
              public void hostDown(HostSession host) {
                events.add("down " + host.name());
              }

              @Override
              public void demandReported(HostSession host) {
                events.add("demand " + host.name() + " " + host.demand().period());
              }

              @Override
              public void triggerFired(HostSession host, TriggerEvent event) {
                events.add("trigger " + host.name() + " " + event.cookie());
              }
            });
  }

  /** Makes all clients' keys, with one more that no host has. */
  public static Path keys(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      KeyFolder.makeClients(folder, List.of("h0", "h1", "h2", SWITCH, "stranger"));
    }
    return folder;
  }

  /** A client whose hello the controller has heard. */
  FakeClient greeting(String certificate, Frame hello) throws Exception {
    return FakeClient.greeting(server.address(), keys, certificate, hello);
  }

  FakeHost host(int number) throws Exception {
    return new FakeHost(server.address(), keys, HOSTS.get(number), number + 1);
  }

  /** Waits until something is so; fails if it never is. */
  public static void await(String what, BooleanSupplier until) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
    while (!until.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        fail("waited in vain: " + what);
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() {
    controllers.close();
    server.close();
  }
}
