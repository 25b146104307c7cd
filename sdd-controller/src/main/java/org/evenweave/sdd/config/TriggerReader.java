package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.evenweave.sdd.condition.Condition;
import org.evenweave.sdd.condition.ConditionException;
import org.evenweave.sdd.session.Directory;

/**
 * Reads {@code triggers}; only names, queues and {@code when} must be there:
 *
 * <pre>
 * [{"name": "web-waits", "hosts": ["h0"], "queue": "class:web",
 *   "when": "bytes &gt; 100000", "until": "bytes &lt; 10000", "applications": false,
 *   "actions": [{"action": "close", "queue": "class:backup"},
 *               {"action": "ceiling", "queue": "class:video", "ceilingBps": 1000000,
 *                "hosts": ["h1"]}]}]
 * </pre>
 */
final class TriggerReader {
  private final Directory directory;
  private final SharingConfig sharing;
  private final boolean byDemand;

  /** Where the document is, as errors say it, such as {@code triggers}. */
  private final String path;

  /**
   * @param sharing the traffic classes that there are
   * @param byDemand whether pairs without demand get no circuits
   */
  TriggerReader(Directory directory, SharingConfig sharing, boolean byDemand, String path) {
    this.directory = directory;
    this.sharing = sharing;
    this.byDemand = byDemand;
    this.path = path;
  }

  /**
   * @param rows valid by the schema
   */
  TriggersConfig read(JsonNode rows) throws SddConfigException {
    List<Trigger> triggers = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode row : rows) {
      String at = path + "[" + triggers.size() + "]";
      String name = row.get("name").textValue();
      if (!names.add(name)) {
        throw new SddConfigException(at + ".name", "\"" + name + "\" occurs twice");
      }
      triggers.add(trigger(row, at));
    }
    return new TriggersConfig(rows, triggers);
  }

  private Trigger trigger(JsonNode row, String at) throws SddConfigException {
    QueueName queue = QueueName.of(row.get("queue").textValue());
    require(queueProblem(queue), at + ".queue");
    List<String> hosts = hosts(row, queue, at + ".hosts");
    Set<String> named = new HashSet<>();
    if (queue.destination() != null) {
      named.add(queue.destination());
    }
    Condition when = condition(row, "when", at, hosts, named);
    Condition until = row.has("until") ? condition(row, "until", at, hosts, named) : null;
    List<String> watching = hosts.isEmpty() ? allBut(named) : hosts;
    if (watching.isEmpty()) {
      throw new SddConfigException(at, "no host has all the queues that it names");
    }
    List<TriggerAction> actions = new ArrayList<>();
    for (JsonNode action : row.path("actions")) {
      actions.add(action(action, hosts, at + ".actions[" + actions.size() + "]"));
    }
    return new Trigger(row, watching, queue, when, until, actions);
  }

  private List<String> allBut(Set<String> destinations) {
    List<String> hosts = new ArrayList<>(directory.names());
    hosts.removeAll(destinations);
    return hosts;
  }

  /** Those that are named, of which none has a queue for itself. */
  private List<String> hosts(JsonNode row, QueueName queue, String at) throws SddConfigException {
    List<String> hosts = new ArrayList<>();
    for (JsonNode each : row.path("hosts")) {
      String name = each.textValue();
      if (directory.numberOf(name) < 0) {
        throw new SddConfigException(at, "there is no host \"" + name + "\"");
      }
      if (hosts.contains(name)) {
        throw new SddConfigException(at, "\"" + name + "\" occurs twice");
      }
      if (name.equals(queue.destination())) {
        throw new SddConfigException(at, noQueueToItself(name));
      }
      hosts.add(name);
    }
    return hosts;
  }

  /**
   * @param hosts who watches it, if they are named
   * @param destinations gets those of the queues that it names
   */
  private Condition condition(
      JsonNode row, String field, String at, List<String> hosts, Set<String> destinations)
      throws SddConfigException {
    try {
      return Condition.parse(
          row.get(field).textValue(), name -> nameProblem(name, hosts, destinations));
    } catch (ConditionException e) {
      throw new SddConfigException(
          at + "." + field, "at byte " + e.position() + ": " + e.getMessage());
    }
  }

  private String nameProblem(String name, List<String> hosts, Set<String> destinations) {
    if (!QueueName.isName(name)) {
      return "packet, to:HOST or class:NAME must stand here";
    }
    QueueName queue = QueueName.of(name);
    if (queue.destination() != null) {
      destinations.add(queue.destination());
    }
    return hosts.contains(queue.destination())
        ? noQueueToItself(queue.destination())
        : queueProblem(queue);
  }

  private static String noQueueToItself(String host) {
    return "\"" + host + "\" has no queue to itself";
  }

  /** Why there is no such queue with statistics; null if there is. */
  private String queueProblem(QueueName queue) {
    if (queue.destination() != null) {
      return directory.numberOf(queue.destination()) < 0
          ? "there is no host \"" + queue.destination() + "\""
          : null;
    }
    if (queue.trafficClass() == null) {
      return null;
    }
    TrafficClass found = find(queue.trafficClass());
    if (found == null) {
      return "there is no class \"" + queue.trafficClass() + "\" in sharing";
    }
    return found.flows().isEmpty()
        ? "class \"" + found.name() + "\" has classes in it, and so no queue"
        : null;
  }

  private TrafficClass find(String name) {
    return sharing.classes().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private TriggerAction action(JsonNode row, List<String> watching, String at)
      throws SddConfigException {
    TriggerAction.Kind kind =
        TriggerAction.Kind.valueOf(row.get("action").textValue().toUpperCase(Locale.ROOT));
    QueueName queue = QueueName.of(row.get("queue").textValue());
    if (queue.trafficClass() != null) {
      TrafficClass found = find(queue.trafficClass());
      if (found == null) {
        require(queueProblem(queue), at + ".queue");
      } else if (kind == TriggerAction.Kind.CEILING
          && sharing.method() == SharingConfig.Method.RCP
          && found.flows().isEmpty()) {
        throw new SddConfigException(
            at + ".queue", "a ceiling for a class with others in it needs method tree, not rcp");
      }
    } else if (queue.destination() == null) {
      throw new SddConfigException(at + ".queue", "packet stays open: act on a class");
    } else {
      require(queueProblem(queue), at + ".queue");
      if (kind == TriggerAction.Kind.CEILING) {
        throw new SddConfigException(at + ".queue", "a ceiling is for a class");
      }
      if (!byDemand) {
        throw new SddConfigException(
            at + ".queue", "the scheduler assigns circuits regardless of demand");
      }
    }
    boolean isCeiling = kind == TriggerAction.Kind.CEILING;
    if (isCeiling != row.has("ceilingBps")) {
      throw new SddConfigException(
          at + ".ceilingBps", isCeiling ? "is needed" : "is for the action ceiling");
    }
    List<String> hosts = hosts(row, queue, at + ".hosts");
    if (hosts.isEmpty() && watching.contains(queue.destination())) {
      throw new SddConfigException(at + ".queue", noQueueToItself(queue.destination()));
    }
    return new TriggerAction(kind, queue, row.path("ceilingBps").asLong(), hosts);
  }

  private static void require(String problem, String at) throws SddConfigException {
    if (problem != null) {
      throw new SddConfigException(at, problem);
    }
  }
}
