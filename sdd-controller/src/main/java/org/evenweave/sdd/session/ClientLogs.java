package org.evenweave.sdd.session;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Each configured client's log, for as long as this controller runs. Thread-safe. */
final class ClientLogs {
  private final Set<String> names;
  private final Map<String, ClientLog> logs = new ConcurrentHashMap<>();
  private final ClientLog others = new ClientLog();

  /**
   * @param names of the clients that are configured
   */
  ClientLogs(Set<String> names) {
    this.names = Set.copyOf(names);
  }

  /** All that are not configured, or not known yet, have one log. */
  ClientLog of(String name) {
    return names.contains(name) ? logs.computeIfAbsent(name, each -> new ClientLog()) : others;
  }
}
