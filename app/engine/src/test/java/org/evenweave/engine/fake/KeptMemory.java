package org.evenweave.engine.fake;

import java.util.Collection;
import java.util.List;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.port.EngineMemory;

/** What an engine leaves to the next one in the same test. */
public final class KeptMemory implements EngineMemory {
  private List<Host> hosts = List.of();
  private long reached;

  @Override
  public long lastNumber() {
    return reached;
  }

  @Override
  public void reached(long number) {
    reached = Math.max(reached, number);
  }

  @Override
  public Collection<Host> hosts() {
    return hosts;
  }

  @Override
  public void keep(List<Host> newHosts) {
    hosts = newHosts;
  }
}
