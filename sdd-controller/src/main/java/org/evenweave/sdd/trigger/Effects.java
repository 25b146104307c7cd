package org.evenweave.sdd.trigger;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.sdd.config.QueueName;
import org.evenweave.sdd.config.TriggerAction;
import org.evenweave.sdd.session.Directory;

/**
 * The effect of actions on one host's queues, independent of the order in which their triggers
 * fired: a queue is closed while one action closes it, or while there are actions that open it and
 * none of them is in force; a class has the least of the ceilings in force. Immutable.
 */
final class Effects {
  private final Map<String, Long> mostBps = new HashMap<>();
  private final BitSet held = new BitSet();

  /**
   * @param all the actions on queues of this host
   * @param inForce those of them whose triggers are in force
   */
  Effects(Collection<TriggerAction> all, List<TriggerAction> inForce, Directory directory) {
    Set<QueueName> opened = new HashSet<>();
    for (TriggerAction action : inForce) {
      if (action.kind() == TriggerAction.Kind.OPEN) {
        opened.add(action.queue());
      } else {
        limit(action.queue(), action.ceilingBps(), directory);
      }
    }
    for (TriggerAction action : all) {
      if (action.kind() == TriggerAction.Kind.OPEN && !opened.contains(action.queue())) {
        limit(action.queue(), 0, directory);
      }
    }
  }

  /** Of an action that closes, the ceiling is 0. */
  private void limit(QueueName queue, long bps, Directory directory) {
    if (queue.trafficClass() != null) {
      mostBps.merge(queue.trafficClass(), bps, Math::min);
    } else {
      held.set(directory.numberOf(queue.destination()));
    }
  }

  /** What classes get at most, by name; 0: nothing. */
  Map<String, Long> mostBps() {
    return mostBps;
  }

  /** The destinations to which there are no circuits. */
  BitSet held() {
    return held;
  }
}
