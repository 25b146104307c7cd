package org.evenweave.bench.reduction;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.evenweave.bench.common.RandomGroup;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reduces {@link #GROUPS} groups per invocation, in turn: one is done faster than a clock is read.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReductionBenchmark {
  static final int GROUPS = 50;

  @Param("evenweave")
  public ReductionAlgorithm algorithm;

  @Param("1")
  public long seed;

  @Param("uniform")
  public Weights weights;

  @Param("1000")
  public int groups;

  @Param("64")
  public int minPorts;

  @Param("64")
  public int ports;

  @Param("1")
  public int minWeight;

  @Param("1000")
  public int maxWeight;

  @Param("1.05")
  public String limit;

  private RandomGroup[] ideal;
  private Function<RandomGroup, int[]> reduction;
  private int next;

  @Setup
  public void makeGroups() {
    ReductionCase given =
        new ReductionCase(weights, minPorts, ports, minWeight, maxWeight, limit, groups);
    ideal = given.groups(seed);
    reduction = algorithm.within(given.exactLimit(), ports);
  }

  @Benchmark
  public int reduce() {
    int sum = 0;
    for (int i = 0; i < GROUPS; i++) {
      next = next + 1 == ideal.length ? 0 : next + 1;
      sum += reduction.apply(ideal[next])[0];
    }
    return sum;
  }
}
