package org.evenweave.sdd.session;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.evenweave.sdd.protocol.EdgeMessages;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The session of a host's edge. Thread-safe. */
public final class EdgeSession extends Client {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeSession.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Reports have six levels; a client must not exhaust the stack of who prints them. */
  private static final int MAX_DEPTH = 12;

  private static final String IN_FORCE = "in-force";
  private static final Outcome DETACHED =
      new Outcome("detached", "not all of the edge's filters are on its device: packets are lost");

  /** The last document by the peer's place; each has one peer. */
  private final ConcurrentSkipListMap<Integer, JsonNode> documents = new ConcurrentSkipListMap<>();

  /** What became of the newest order; answers to those before it do not count. */
  private final AtomicReference<Outcome> outcome =
      new AtomicReference<>(new Outcome("waiting", ""));

  private volatile long reportedAtNanos;

  EdgeSession(Channel channel, String name) {
    super(name, channel);
  }

  private static final class Outcome {
    final String state;
    final String problem;

    Outcome(String state, String problem) {
      this.state = state;
      this.problem = problem;
    }
  }

  /** Sends an order; what the edge makes of it is in {@link #orderState}. */
  public void order(EdgeOrder order) {
    Outcome waiting = new Outcome("waiting", "");
    outcome.set(waiting);
    request(id -> EdgeMessages.order(id, order))
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                outcome.compareAndSet(waiting, new Outcome(IN_FORCE, ""));
              } else if (isUp()) {
                outcome.compareAndSet(waiting, new Outcome("refused", failure.getMessage()));
                LOG.warn("order to the edge refused: {}", failure.getMessage());
              }
            });
  }

  /**
   * {@code waiting}, {@code in-force} or {@code refused}: the newest order; {@code detached}: it
   * was taken, but by its last report the edge has lost its device or its place there.
   */
  public String orderState() {
    return outcome().state;
  }

  /** Why the order was refused or has no effect, or empty. */
  public String orderProblem() {
    return outcome().problem;
  }

  /** Each peer's document says it; an edge of an older version does not. */
  private Outcome outcome() {
    Outcome answered = outcome.get();
    boolean isDetached =
        documents.values().stream().anyMatch(of -> !of.path("attached").asBoolean(true));
    return isDetached && answered.state.equals(IN_FORCE) ? DETACHED : answered;
  }

  /** The controller's weights to a prefix, as prior of the edge's paths. */
  void weights(EdgeWeights weights) {
    request(id -> EdgeMessages.weights(id, weights))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                LOG.warn("weights refused: {}", failure.getMessage());
              }
            });
  }

  /** Has the edge discover its paths now. */
  public void topologyChanged() {
    request(EdgeMessages::topologyChanged)
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                LOG.warn("discovery was not begun: {}", failure.getMessage());
              }
            });
  }

  void update(EdgeReportDecoder message) throws ProtocolException {
    int peer = (int) message.peer();
    documents.tailMap((int) message.peers(), true).clear();
    documents.put(peer, parse(message.document()));
    reportedAtNanos = System.nanoTime();
  }

  private static JsonNode parse(String text) throws ProtocolException {
    try (JsonParser tokens = JSON.createParser(text)) {
      int depth = 0;
      for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth > MAX_DEPTH) {
          throw new ProtocolException("edgeReport.document", "is nested too deeply");
        }
      }
      JsonNode document = JSON.readTree(text);
      if (document.path("peers").isArray()) {
        return document;
      }
    } catch (IOException e) {
      throw new ProtocolException("edgeReport.document", "is no JSON");
    }
    throw new ProtocolException("edgeReport.document", "has no peers");
  }

  /** What the edge reported last: documents as of {@code show --json}, each with one peer. */
  public List<JsonNode> documents() {
    return List.copyOf(documents.values());
  }

  /** Nanoseconds since the last report. */
  public long reportAgeNs() {
    return System.nanoTime() - reportedAtNanos;
  }
}
