package org.evenweave.engine.nib;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The {@link PortGuard} of each switch. Immutable; one object stands for all versions between which
 * nothing changed.
 */
final class PortGuards {
  static final PortGuards NONE = new PortGuards(Map.of());

  private final Map<String, PortGuard> bySwitch;

  private PortGuards(Map<String, PortGuard> bySwitch) {
    this.bySwitch = bySwitch;
  }

  PortGuard at(String switchId) {
    return bySwitch.getOrDefault(switchId, PortGuard.NONE);
  }

  /** The same with other guards at some switches; this very object if they are as before. */
  PortGuards with(Map<String, PortGuard> others) {
    Map<String, PortGuard> next = new HashMap<>(bySwitch);
    boolean[] differs = {false};
    others.forEach(
        (id, guard) -> {
          if (!guard.equals(at(id))) {
            next.put(id, guard);
            differs[0] = true;
          }
        });
    return differs[0] ? new PortGuards(next) : this;
  }

  /** The switches whose guard is, or was, another one. */
  Set<String> switchesChangedSince(PortGuards before) {
    Set<String> changed = new HashSet<>();
    if (before != this) {
      Set<String> all = new HashSet<>(bySwitch.keySet());
      all.addAll(before.bySwitch.keySet());
      for (String id : all) {
        if (!at(id).equals(before.at(id))) {
          changed.add(id);
        }
      }
    }
    return changed;
  }
}
