package org.evenweave.bench.solstice;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.Schedule;

/**
 * The results of one scheduler for many matrices: its computing time, and the demand that circuits
 * serve.
 */
final class Plans {
  private final double[] ns;
  private int count;
  private double servedSum;
  private double leastServed = 1;
  private long days;

  Plans(int most) {
    this.ns = new double[most];
  }

  void add(double planNs, DemandMatrix demand, Schedule week) {
    double served = 1 - (double) week.remainder().total() / demand.total();
    ns[count++] = planNs;
    servedSum += served;
    leastServed = Math.min(leastServed, served);
    days += week.days();
  }

  double medianMs() {
    double[] sorted = Arrays.copyOf(ns, count);
    Arrays.sort(sorted);
    return sorted[count / 2] / 1e6;
  }

  ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("medianMs", medianMs())
        .put("circuitServed", servedSum / count)
        .put("leastServed", leastServed)
        .put("days", (double) days / count);
  }
}
