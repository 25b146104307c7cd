package org.evenweave.sdd.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.protocol.IpAddress;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edges of hosts: the permitted and the connected ones, and their common order. Thread-safe.
 */
public final class Edges {
  private static final Logger LOG = LoggerFactory.getLogger(Edges.class);

  private final List<String> names;
  private final Map<String, EdgeSession> sessions = new ConcurrentHashMap<>();
  private final Map<String, IpAddress> addresses;
  private EdgeOrder order;
  private List<EdgeWeights> weights = List.of();
  private EdgeSecrets secrets; // null: edges have keys of their own, or none

  /**
   * @param names of the hosts whose edges may connect
   * @param addresses of edges in the outer header, by name: of those that get keys
   */
  public Edges(List<String> names, Map<String, IpAddress> addresses, EdgeOrder order) {
    this.names = List.copyOf(names);
    this.addresses = Map.copyOf(addresses);
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

  /**
   * Hands out keys if there are addresses, by the secrets beside the controller's own keys. They
   * are read again with these.
   *
   * @throws IOException if the secrets cannot be used; names the file
   */
  public void handOutKeys(TlsIdentity tls) throws IOException {
    if (addresses.isEmpty()) {
      return;
    }
    secrets(EdgeSecrets.read(tls.folder()));
    tls.whenReloaded(
        () -> {
          try {
            secrets(EdgeSecrets.read(tls.folder()));
          } catch (IOException e) {
            LOG.error("edges keep their keys: {}", e.getMessage());
          }
        });
  }

  /**
   * Hands out keys by these secrets, to the edges that are connected, and to those that will be.
   * Each gets only the keys that it shares with others.
   */
  synchronized void secrets(EdgeSecrets newSecrets) {
    secrets = newSecrets;
    sessions.values().forEach(this::sendKeys);
  }

  /**
   * Of how many secrets there are keys: 0 where the controller hands out none, 2 while a secret
   * replaces another.
   */
  public synchronized int secrets() {
    return secrets == null ? 0 : secrets.count();
  }

  /**
   * Whether the controller hands out keys to this host's edge, which then ignores reports that it
   * cannot authenticate.
   */
  public synchronized boolean hasKeys(String name) {
    return secrets != null && addresses.containsKey(name);
  }

  private void sendKeys(EdgeSession session) {
    IpAddress own = addresses.get(session.name());
    if (hasKeys(session.name())) {
      secrets.keys(own, addresses.values()).forEach(session::keys);
    }
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
    sendKeys(session);
  }

  void remove(EdgeSession session) {
    sessions.remove(session.name(), session);
  }
}
