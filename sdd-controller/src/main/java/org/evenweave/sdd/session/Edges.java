package org.evenweave.sdd.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.EdgeWeights;

/**
 * The edges of hosts: the permitted and the connected ones, and their common order. Thread-safe.
 */
public final class Edges {
  private final List<String> names;
  private final Map<String, EdgeSession> sessions = new ConcurrentHashMap<>();
  private EdgeOrder order;
  private List<EdgeWeights> weights = List.of();

  /**
   * @param names of the hosts whose edges may connect
   */
  public Edges(List<String> names, EdgeOrder order) {
    this.names = List.copyOf(names);
    this.order = order;
  }

  public List<String> names() {
    return names;
  }

  /** A host's session, or null. */
  public EdgeSession session(String name) {
    return sessions.get(name);
  }

  public synchronized EdgeOrder order() {
    return order;
  }

  /** Orders it of the edges that are connected, and of those that will be. */
  public synchronized void order(EdgeOrder newOrder) {
    order = newOrder;
    sessions.values().forEach(session -> session.order(newOrder));
  }

  /**
   * The controller's weights, one for each prefix, at most {@link EdgeWeights#MAX_PREFIXES}: of the
   * edges that are connected, and of those that will be. Only what differs is sent.
   */
  public synchronized void weights(List<EdgeWeights> newWeights) {
    List<EdgeWeights> changed = new ArrayList<>();
    for (EdgeWeights old : weights) {
      if (newWeights.stream().noneMatch(old::isSamePrefix)) {
        changed.add(old.none());
      }
    }
    newWeights.stream().filter(one -> !weights.contains(one)).forEach(changed::add);
    weights = List.copyOf(newWeights);
    sessions.values().forEach(session -> changed.forEach(session::weights));
  }

  /** Those that edges have; one for each prefix. */
  public synchronized List<EdgeWeights> weights() {
    return weights;
  }

  /** Has all edges that are connected discover their paths. */
  public void topologyChanged() {
    sessions.values().forEach(EdgeSession::topologyChanged);
  }

  /** The newer session ends the older one. */
  synchronized void add(EdgeSession session) {
    EdgeSession older = sessions.put(session.name(), session);
    if (older != null) {
      older.close();
    }
    session.order(order);
    weights.forEach(session::weights);
  }

  void remove(EdgeSession session) {
    sessions.remove(session.name(), session);
  }
}
