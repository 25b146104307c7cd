package org.evenweave.engine.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.EngineMemory;

/**
 * Keeps hosts beyond the time that their switch is connected or this engine works: hosts with a
 * full ARP cache say nothing for hours. Owned by the engine's loop.
 */
public final class HostMemory {
  private final EngineMemory memory;
  private final TreeMap<Integer, Host> remembered = new TreeMap<>(Integer::compareUnsigned);

  public HostMemory(EngineMemory memory) {
    this.memory = memory;
    memory.hosts().forEach(host -> remembered.put(host.address(), host));
  }

  /** A switch takes part again: its hosts are believed to be where they were. */
  public void recall(String switchId, Nib nib) {
    for (Host host : new ArrayList<>(remembered.values())) {
      if (host.switchId().equals(switchId)) {
        nib.hostKnown(host);
      }
    }
  }

  /**
   * Takes over the hosts of a snapshot. One that is missing there is forgotten, unless its switch
   * is missing too.
   */
  public void follow(Snapshot snapshot) {
    TreeMap<Integer, Host> before = new TreeMap<>(remembered);
    remembered.values().removeIf(host -> snapshot.isPresent(host.switchId()));
    snapshot.hosts().forEach(host -> remembered.put(host.address(), host));
    if (!remembered.equals(before)) {
      memory.keep(List.copyOf(remembered.values()));
    }
  }
}
