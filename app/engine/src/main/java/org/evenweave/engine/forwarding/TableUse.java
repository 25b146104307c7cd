package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;

/** How full the switches' multipath tables are, and how near to the ideal their groups. */
public final class TableUse {
  private final DesiredState desired;
  private final Fabric fabric;
  private final long[] entries;
  private final double[] oversubscription;

  private TableUse(DesiredState desired) {
    this.desired = desired;
    fabric = desired.routing().snapshot().fabric();
    entries = new long[fabric.switchCount()];
    oversubscription = new double[fabric.switchCount()];
  }

  /** That of all switches. */
  public static TableUse of(DesiredState desired) {
    TableUse use = new TableUse(desired);
    for (int s = 0; s < use.entries.length; s++) {
      use.compute(s);
    }
    return use;
  }

  /** That of another result of the same numbering of switches. */
  public TableUse after(DesiredState other) {
    TableUse use = new TableUse(other);
    for (int s = 0; s < entries.length; s++) {
      if (other.groupsOf(s) == desired.groupsOf(s)) {
        use.entries[s] = entries[s];
        use.oversubscription[s] = oversubscription[s];
      } else {
        use.compute(s);
      }
    }
    return use;
  }

  private void compute(int s) {
    SwitchGroups groups = desired.groupsOf(s);
    oversubscription[s] = 1;
    for (int i = 0; i < groups.count(); i++) {
      SwitchGroups.Entry entry = groups.get(i);
      entries[s] += entry.realisation.slots().size();
      oversubscription[s] =
          Math.max(
              oversubscription[s],
              entry
                  .realisation
                  .oversubscription(entry.ideal.ports(fabric), entry.ideal.weights())
                  .toDouble());
    }
  }

  /** The switch whose table is the fullest: by its limit, or by entries where none has one. */
  public String fullest() {
    int fullest = 0;
    for (int s = 1; s < entries.length; s++) {
      if (fullness(s) > fullness(fullest)
          || (fullness(s) == fullness(fullest) && entries[s] > entries[fullest])) {
        fullest = s;
      }
    }
    return fabric.switchId(fullest);
  }

  private double fullness(int s) {
    return fabric.tableEntries(s) == Fabric.UNLIMITED
        ? 0
        : (double) entries[s] / fabric.tableEntries(s);
  }

  /** The entries that the groups of a switch take. */
  public long entries(String switchId) {
    return entries[fabric.indexOf(switchId)];
  }

  /** The entries that its table has, or {@link Fabric#UNLIMITED}. */
  public int table(String switchId) {
    return fabric.tableEntries(fabric.indexOf(switchId));
  }

  /** The worst of a switch's groups; 1 without any. */
  public double oversubscription(String switchId) {
    return oversubscription[fabric.indexOf(switchId)];
  }

  /**
   * By port of a switch, the worst of its groups: the port's realised share over its ideal share;
   * without ports that are in no group.
   */
  public static Map<Integer, Double> oversubscribedPorts(DesiredState desired, String switchId) {
    Fabric fabric = desired.routing().snapshot().fabric();
    SwitchGroups groups = desired.groupsOf(fabric.indexOf(switchId));
    Map<Integer, Double> worst = new TreeMap<>();
    for (int i = 0; i < groups.count(); i++) {
      SwitchGroups.Entry entry = groups.get(i);
      int[] ports = entry.ideal.ports(fabric);
      long[] weights = entry.ideal.weights();
      double sum = Arrays.stream(weights).asDoubleStream().sum();
      for (int m = 0; m < ports.length; m++) {
        double share = entry.realisation.share(ports[m]).toDouble();
        worst.merge(ports[m], share * sum / weights[m], Math::max);
      }
    }
    return worst;
  }

  /** The worst group of all. */
  public double worstOversubscription() {
    double worst = 1;
    for (double each : oversubscription) {
      worst = Math.max(worst, each);
    }
    return worst;
  }
}
