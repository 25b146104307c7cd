package org.evenweave.engine.whatif;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.PairRates;
import org.evenweave.engine.forwarding.TableUse;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The consequences of every single failure of a link that carries traffic or of a switch: slower
 * pairs, table use, and pairs that are cut off.
 */
public final class FailureSurvey {
  private final WhatIf whatIf;
  private final DesiredState base;
  private final Snapshot network;
  private final Fabric fabric;
  private final PairRates rates;
  private final TableUse use;
  private final List<Integer> links = new ArrayList<>();
  private final List<Integer> switches = new ArrayList<>();

  /**
   * @param base what the switches hold before each failure
   * @param rates of it
   */
  public FailureSurvey(WhatIf whatIf, DesiredState base, PairRates rates) {
    this.whatIf = whatIf;
    this.base = base;
    this.rates = rates;
    network = base.routing().snapshot();
    fabric = network.fabric();
    use = TableUse.of(base);
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (network.forwards(s) && fabric.outDegree(s) > 0) {
        switches.add(s);
      }
    }
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        links.add(link);
      }
    }
  }

  /** How many there are: switches first, then links. */
  public int count() {
    return switches.size() + links.size();
  }

  /**
   * Computes one.
   *
   * @param i from 0 to {@link #count} - 1
   */
  public Failure failure(int i) {
    boolean ofSwitch = i < switches.size();
    int number = ofSwitch ? switches.get(i) : links.get(i - switches.size());
    Failure failure = new Failure(ofSwitch, ofSwitch ? number : -1, name(ofSwitch, number));
    Snapshot failed =
        ofSwitch
            ? SupposedNetwork.withoutSwitch(network, number)
            : SupposedNetwork.withoutLink(network, number);
    DesiredState after = whatIf.afterFailure(failed, base);
    rates.changes(after, failure::add);
    failure.use = use.after(after);
    failure.problem = String.join("; ", after.beyondLimits());
    return failure;
  }

  private String name(boolean ofSwitch, int number) {
    return ofSwitch ? fabric.switchId(number) : fabric.linkName(number);
  }

  /** What would follow from one failure. */
  public final class Failure {
    private final boolean ofSwitch;
    private final int failedSwitch;
    private final String name;
    private final BitSet lost = new BitSet();
    private int slower;
    private int cutPairs;
    private int worstSource = -1;
    private int worstDestination;
    private double worstBefore;
    private double worstAfter;
    private TableUse use;
    private String problem = "";

    private Failure(boolean ofSwitch, int failedSwitch, String name) {
      this.ofSwitch = ofSwitch;
      this.failedSwitch = failedSwitch;
      this.name = name;
    }

    private void add(int source, int destination, double before, double after) {
      int[] ends = {rates.endpoints()[source], rates.endpoints()[destination]};
      if (before == 0 || ends[0] == failedSwitch || ends[1] == failedSwitch) {
        return;
      }
      if (after == 0) {
        cutPairs++;
        lost.set(ends[0]);
        lost.set(ends[1]);
        return;
      }
      slower += after < before ? 1 : 0;
      boolean isWorse = after * worstBefore < worstAfter * before;
      if (after < before && (worstSource < 0 || isWorse)) {
        worstSource = ends[0];
        worstDestination = ends[1];
        worstBefore = before;
        worstAfter = after;
      }
    }

    /** Whether a switch fails; otherwise a link does. */
    public boolean ofSwitch() {
      return ofSwitch;
    }

    /** The switch's id, or the link as {@code s1-0/1-s2-0/1}. */
    public String name() {
      return name;
    }

    /**
     * How many pairs that still have a way would be slower; those of the failed switch are none.
     */
    public int slowerPairs() {
      return slower;
    }

    /** How many pairs would have no way any more. */
    public int cutPairs() {
      return cutPairs;
    }

    /** The switches of such pairs, by number. */
    public List<String> cutSwitches() {
      List<String> ids = new ArrayList<>();
      lost.stream().forEach(s -> ids.add(fabric.switchId(s)));
      return ids;
    }

    /** Whether any pair would be slower. */
    public boolean hasWorst() {
      return worstSource >= 0;
    }

    /** The pair that keeps the least part of its throughput: its source. */
    public String worstSource() {
      return fabric.switchId(worstSource);
    }

    /** Its destination. */
    public String worstDestination() {
      return fabric.switchId(worstDestination);
    }

    /** Its throughput before the failure, in bits per second. */
    public double worstBeforeBps() {
      return worstBefore;
    }

    /** Its throughput after the failure, in bits per second. */
    public double worstAfterBps() {
      return worstAfter;
    }

    /** The use of tables; null if the groups would not fit. */
    public TableUse use() {
      return use;
    }

    /** Why the controller would leave all tables as they are; empty if it would not. */
    public String problem() {
      return problem;
    }
  }
}
