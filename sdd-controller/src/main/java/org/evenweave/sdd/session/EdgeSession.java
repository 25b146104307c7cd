package org.evenweave.sdd.session;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.evenweave.sdd.protocol.EdgeKeys;
import org.evenweave.sdd.protocol.EdgeMessages;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;

/** The session of a host's edge. Thread-safe. */
public final class EdgeSession extends Client {
  private static final String IN_FORCE = "in-force";
  private static final Outcome DETACHED =
      new Outcome("detached", "not all of the edge's filters are on its device: packets are lost");

  private final EdgeReports reports;

  /** What became of the newest order; answers to those before it do not count. */
  private final AtomicReference<Outcome> outcome =
      new AtomicReference<>(new Outcome("waiting", ""));

  private volatile long reportedAtNanos;

  /**
   * @param mostBytes of its reports that are kept
   */
  EdgeSession(Channel channel, String name, ClientLog log, long mostBytes) {
    super(name, channel, log);
    reports = new EdgeReports(mostBytes);
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
                log().warn("order to the edge refused: {}", failure.getMessage());
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
    return reports.isDetached() && answered.state.equals(IN_FORCE) ? DETACHED : answered;
  }

  /** The controller's weights to a prefix, as prior of the edge's paths. */
  void weights(EdgeWeights weights) {
    request(id -> EdgeMessages.weights(id, weights))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                log().warn("weights refused: {}", failure.getMessage());
              }
            });
  }

  /** The keys that the edge shares with some peers. */
  void keys(EdgeKeys keys) {
    request(id -> EdgeMessages.keys(id, keys))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                log().warn("keys refused: {}", failure.getMessage());
              }
            });
  }

  /** Has the edge discover its paths now. */
  public void topologyChanged() {
    request(EdgeMessages::topologyChanged)
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                log().warn("discovery was not started: {}", failure.getMessage());
              }
            });
  }

  void update(EdgeReportDecoder message) throws ProtocolException {
    if (!reports.add((int) message.peer(), (int) message.peers(), message.document())) {
      log().warn("{}: its reports of peers exceed the memory for reports", name());
    }
    reportedAtNanos = System.nanoTime();
  }

  /** What the edge reported last: texts as of {@code show --json}, each with one peer. */
  public List<String> documents() {
    return reports.documents();
  }

  /** How many peers' reports are kept. */
  public int reportedPeers() {
    return reports.count();
  }

  /** How many reports of this session there was no room for. */
  public long reportsLeftOut() {
    return reports.leftOut();
  }

  /** Nanoseconds since the last report. */
  public long reportAgeNs() {
    return System.nanoTime() - reportedAtNanos;
  }
}
