package org.evenweave.bench.fitting;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.evenweave.bench.common.RandomGroup;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Fits the groups of one table per invocation, table by table in turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FittingBenchmark {
  @Param("evenweave")
  public FittingAlgorithm algorithm;

  @Param("1")
  public long seed;

  @Param("1000")
  public int groups;

  @Param("1")
  public int groupsPerTable;

  @Param("64")
  public int ports;

  @Param("1")
  public int minWeight;

  @Param("1000")
  public int maxWeight;

  @Param("256")
  public int entries;

  private RandomGroup[][] tables;
  private int next;

  @Setup
  public void makeGroups() {
    tables =
        FilledTables.of(
            RandomGroup.many(seed, groups, ports, minWeight, maxWeight), groupsPerTable);
  }

  @Benchmark
  public List<int[]> fit() {
    next = next + 1 == tables.length ? 0 : next + 1;
    return algorithm.fit(tables[next], entries);
  }
}
