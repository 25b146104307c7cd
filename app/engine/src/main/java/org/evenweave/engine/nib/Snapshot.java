package org.evenweave.engine.nib;

import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;

/** The network at one moment, immutable. Everything downstream of the NIB works on one of these. */
public final class Snapshot {
  private final long version;
  private final Fabric fabric;
  private final List<Host> hosts;

  /**
   * @param version rises with every change
   * @param fabric the switches that can be programmed, the links that carry packets both ways
   * @param hosts by rising address, each under a switch of {@code fabric}
   */
  public Snapshot(long version, Fabric fabric, List<Host> hosts) {
    this.version = version;
    this.fabric = fabric;
    this.hosts = List.copyOf(hosts);
  }

  public long version() {
    return version;
  }

  public Fabric fabric() {
    return fabric;
  }

  public List<Host> hosts() {
    return hosts;
  }
}
