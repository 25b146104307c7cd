package org.evenweave.bench.reduction;

import java.util.concurrent.TimeUnit;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.reduction.Ratio;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reduces one group per invocation, in turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReductionBenchmark {
  @Param("evenweave")
  public ReductionAlgorithm algorithm;

  @Param("1")
  public long seed;

  @Param("1000")
  public int groups;

  @Param("64")
  public int ports;

  @Param("1")
  public int minWeight;

  @Param("1000")
  public int maxWeight;

  @Param("1.05")
  public String limit;

  private RandomGroup[] ideal;
  private Ratio exactLimit;
  private int next;

  @Setup
  public void makeGroups() {
    ideal = RandomGroup.many(seed, groups, ports, minWeight, maxWeight);
    exactLimit = Ratio.parse(limit);
  }

  @Benchmark
  public int[] reduce() {
    next = next + 1 == ideal.length ? 0 : next + 1;
    return algorithm.reduce(ideal[next], exactLimit);
  }
}
