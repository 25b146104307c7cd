package org.evenweave.bench.scale;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The hosts that an engine before this one knew: each subnet's, at its switch's edge port. */
final class KnownHosts implements EngineMemory {
  /** Locally administered. */
  private static final long FIRST_MAC = 0x02_00_00_00_00_00L;

  private final List<Host> hosts = new ArrayList<>();

  KnownHosts(Fabric fabric, int hostsOfSubnet) {
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
      String switchId = fabric.switchId(fabric.subnetSwitch(subnet));
      for (int number = 0; number < hostsOfSubnet; number++) {
        int address = prefix.gateway() + 1 + number;
        long mac = FIRST_MAC + hosts.size();
        hosts.add(new Host(address, mac, switchId, MemoryNetwork.hostPort(number)));
      }
    }
  }

  @Override
  public long lastNumber() {
    return 0;
  }

  @Override
  public void reached(long number) {}

  @Override
  public Collection<Host> hosts() {
    return hosts;
  }

  @Override
  public void keep(List<Host> known) {}
}
