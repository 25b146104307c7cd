package org.evenweave.sdd.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.TriggersConfig;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.policy.SessionApi;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.TriggerEvent;
import org.evenweave.sdd.session.VirtualHost;

/** Triggers over hosts in virtual time with two traffic classes, {@code web} and {@code backup}. */
final class TriggerBed implements AutoCloseable {
  static final String SHARING =
      "{'capacityBps': 1000000, 'packetBytes': 1000, 'classes': ["
          + "{'name': 'web', 'flows': [{'protocol': 6}]},"
          + "{'name': 'backup', 'flows': [{'protocol': 17}]}]}";

  private static final ObjectMapper JSON = new ObjectMapper();

  final SddConfig config;
  final ClassSharing sharing;
  final HeldPairs held;
  final Triggers triggers;
  private final VirtualHost[] hosts;
  private long nowNs;

  TriggerBed(int count, int maxEvents, int maxTriggers) {
    try {
      String names =
          IntStream.range(0, count)
              .mapToObj(number -> "'h" + number + "'")
              .collect(Collectors.joining(","));
      config =
          SddConfigReader.read(
              ("{'hosts': [" + names + "], 'sharing': " + SHARING + "}")
                  .replace('\'', '"')
                  .getBytes(StandardCharsets.UTF_8),
              Path.of("/"));
    } catch (SddConfigException e) {
      throw new AssertionError(e);
    }
    hosts = new VirtualHost[count];
    for (int number = 0; number < count; number++) {
      hosts[number] = new VirtualHost(number, maxEvents, maxTriggers);
    }
    sharing =
        new ClassSharing(
            config.sharing(),
            config.directory()::nameOf,
            config.network().weekNs(),
            count + 1,
            new SessionApi(number -> hosts[number].session(), QueueConfig.open()));
    held = new HeldPairs(count);
    triggers = new Triggers(config.directory(), sharing, held, () -> nowNs);
  }

  VirtualHost host(int number) {
    return hosts[number];
  }

  TriggerBed up(int... numbers) {
    for (int number : numbers) {
      HostSession session = hosts[number].connect();
      sharing.hostUp(session);
      for (int queue = 0; queue <= hosts.length; queue++) {
        if (queue != number) {
          session.createQueue(queue, QueueConfig.open());
        }
      }
      triggers.hostUp(session);
    }
    return this;
  }

  TriggerBed down(int number) {
    HostSession session = hosts[number].session();
    hosts[number].disconnect();
    triggers.hostDown(session);
    return this;
  }

  TriggerBed replace(String... documents) throws Exception {
    triggers.replace(read(documents));
    return this;
  }

  TriggersConfig read(String... documents) throws Exception {
    JsonNode rows = JSON.readTree(("[" + String.join(",", documents) + "]").replace('\'', '"'));
    return SddConfigReader.readTriggers(rows, config, sharing.config());
  }

  /** Lets a host answer one request, or else tell one event; false if it has neither. */
  boolean step(int number) {
    return hosts[number].answer() || tell(number);
  }

  private boolean tell(int number) {
    TriggerEvent event = hosts[number].tellEvent();
    if (event != null) {
      triggers.fired(hosts[number].session(), event);
    }
    return event != null;
  }

  /** Lets all answer and tell until there is nothing to say; and once more after a second. */
  void settle() {
    exchange();
    nowNs += 1_000_000_000;
    for (VirtualHost host : hosts) {
      if (host.session() != null) {
        triggers.demandReported(host.session());
      }
    }
    exchange();
  }

  @Override
  public void close() {
    for (VirtualHost host : hosts) {
      host.disconnect();
    }
  }

  private void exchange() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int number = 0; number < hosts.length; number++) {
        moved |= step(number);
      }
    }
  }
}
