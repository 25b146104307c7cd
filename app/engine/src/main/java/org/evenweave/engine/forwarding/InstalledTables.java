package org.evenweave.engine.forwarding;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * What the switches hold, by switch id, at one moment. Immutable. The next version costs a copy of
 * one array, and all tables come in the order of a fabric's numbers without a look at any id: a
 * plan goes over all switches several times, and changes few.
 */
final class InstalledTables extends AbstractMap<String, SwitchTables> {
  static final InstalledTables NONE = new InstalledTables(Map.of(), new SwitchTables[0], null);

  /** Every switch that was ever known has a slot; versions share the map until there are more. */
  private final Map<String, Integer> slotOfId;

  /** By slot, null where nothing is known. */
  private final SwitchTables[] tables;

  /** The fabric asked for last; others of its numbering are the same. Threads may race to it. */
  private volatile Order order;

  /** Where the switches of a fabric have their slots. */
  private static final class Order {
    final Fabric fabric;

    /** By number, or -1. */
    final int[] slots;

    Order(Fabric fabric, Map<String, Integer> slotOfId) {
      this.fabric = fabric;
      slots = new int[fabric.switchCount()];
      Arrays.setAll(slots, s -> slotOfId.getOrDefault(fabric.switchId(s), -1));
    }
  }

  private InstalledTables(Map<String, Integer> slotOfId, SwitchTables[] tables, Order order) {
    this.slotOfId = slotOfId;
    this.tables = tables;
    this.order = order;
  }

  /**
   * The next version.
   *
   * @param changes by switch id, null where it is not known any more what a switch holds
   */
  InstalledTables with(Map<String, SwitchTables> changes) {
    Map<String, Integer> slots = slotOfId;
    for (String switchId : changes.keySet()) {
      if (!slots.containsKey(switchId)) {
        slots = slots == slotOfId ? new HashMap<>(slots) : slots;
        slots.put(switchId, slots.size());
      }
    }
    SwitchTables[] next = Arrays.copyOf(tables, slots.size());
    for (Map.Entry<String, SwitchTables> change : changes.entrySet()) {
      next[slots.get(change.getKey())] = change.getValue();
    }
    return new InstalledTables(slots, next, slots == slotOfId ? order : null);
  }

  /**
   * What the switches of a fabric hold, by number: nothing where it is not known.
   *
   * @param installed by switch id
   */
  static SwitchTables[] inOrder(Map<String, SwitchTables> installed, Fabric fabric) {
    SwitchTables[] inOrder = new SwitchTables[fabric.switchCount()];
    if (installed instanceof InstalledTables) {
      InstalledTables known = (InstalledTables) installed;
      int[] slots = known.slots(fabric);
      Arrays.setAll(inOrder, s -> known.at(slots[s]));
    } else {
      Arrays.setAll(inOrder, s -> installed.get(fabric.switchId(s)));
    }
    for (int s = 0; s < inOrder.length; s++) {
      inOrder[s] = inOrder[s] == null ? SwitchTables.EMPTY : inOrder[s];
    }
    return inOrder;
  }

  /** Whether it is known what each switch holds that can be programmed. */
  boolean hasAllOf(Snapshot snapshot) {
    int[] slots = slots(snapshot.fabric());
    for (int s = 0; s < slots.length; s++) {
      if (snapshot.isPresent(s) && at(slots[s]) == null) {
        return false;
      }
    }
    return true;
  }

  private SwitchTables at(int slot) {
    return slot < 0 ? null : tables[slot];
  }

  private int[] slots(Fabric fabric) {
    Order latest = order;
    if (latest == null || !latest.fabric.hasNumberingOf(fabric)) {
      latest = new Order(fabric, slotOfId);
      order = latest;
    }
    return latest.slots;
  }

  @Override
  public SwitchTables get(Object switchId) {
    Integer slot = slotOfId.get(switchId);
    return slot == null ? null : tables[slot];
  }

  @Override
  public boolean containsKey(Object switchId) {
    return get(switchId) != null;
  }

  @Override
  public Set<Map.Entry<String, SwitchTables>> entrySet() {
    Map<String, SwitchTables> known = new LinkedHashMap<>();
    slotOfId.forEach(
        (switchId, slot) -> {
          if (tables[slot] != null) {
            known.put(switchId, tables[slot]);
          }
        });
    return Collections.unmodifiableMap(known).entrySet();
  }
}
