package org.evenweave.sdd.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.MessageReader;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.CircuitConfigureDecoder;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;

/** A circuit switch that implements the protocol, and records which circuits were up when. */
public final class FakeCircuitSwitch implements AutoCloseable {
  private static final int MAX_PORTS = 16;

  /** Ordered configurations, the earliest first. */
  public final List<Configuration> configurations = new CopyOnWriteArrayList<>();

  private final FakeClient client;

  /** Dark from {@code atNs}, up from {@code upNs}. */
  public static final class Configuration {
    public final long atNs;
    public final long upNs;
    private final int[] outputOf = new int[MAX_PORTS];

    private Configuration(CircuitConfigureDecoder message) {
      atNs = message.atNs();
      upNs = atNs + message.nightNs();
      Arrays.fill(outputOf, -1);
      for (CircuitConfigureDecoder.CircuitsDecoder circuit : message.circuits()) {
        outputOf[circuit.inputPort()] = circuit.outputPort();
      }
    }
  }

  /** Connects; port i leads to the i-th host. */
  public FakeCircuitSwitch(InetSocketAddress server, Path keys, String name, String... hosts)
      throws IOException, GeneralSecurityException, ProtocolException {
    client = greet(server, keys, name, hosts);
    Thread thread = new Thread(this::answer, "fake-switch");
    thread.setDaemon(true);
    thread.start();
    client.repeat(() -> ClientFrames.circuitStats(System.nanoTime(), 0, 0));
  }

  /** Connects again, as circuit switches do, if it is not welcomed. */
  private static FakeClient greet(InetSocketAddress server, Path keys, String name, String... hosts)
      throws IOException, GeneralSecurityException, ProtocolException {
    while (true) {
      FakeClient connected =
          FakeClient.greeting(server, keys, name, ClientFrames.switchHello(name, hosts));
      FakeClient.Message answer = connected.receive();
      if (answer != null && answer.template != WelcomeDecoder.TEMPLATE_ID) {
        throw new IOException("the circuit switch was refused");
      }
      if (answer != null) {
        return connected;
      }
      connected.close();
    }
  }

  private void answer() {
    try {
      for (FakeClient.Message m = client.receive(); m != null; m = client.receive()) {
        MessageReader at = m.at;
        CircuitConfigureDecoder message =
            new CircuitConfigureDecoder()
                .wrap(m.buffer, at.bodyOffset(), at.blockLength(), at.version());
        long id = message.requestId();
        configurations.add(new Configuration(message));
        client.send(ClientFrames.reply(id, Status.OK, 0, 0, ""));
      }
    } catch (IOException | ProtocolException e) {
      configurations.clear();
    }
  }

  /** Whether all configurations of a time have come: one of a later time has. */
  public boolean knowsUntil(long timeNs) {
    return configurations.stream().anyMatch(configuration -> configuration.atNs > timeNs);
  }

  /** Whether a circuit is up during the whole of a time. */
  public boolean carries(int input, int output, long fromNs, long toNs) {
    Configuration current = null;
    for (Configuration configuration : configurations) {
      if (configuration.atNs <= fromNs) {
        current = configuration;
      } else if (configuration.atNs < toNs) {
        return false;
      }
    }
    return current != null && current.upNs <= fromNs && current.outputOf[input] == output;
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
