package org.evenweave.bench.common;

import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs a JMH benchmark of one method in mode SampleTime and gives the median over all invocations.
 *
 * <p>The median of single invocations, and not the mean of many: on a machine that others use, the
 * few invocations that were interrupted for milliseconds are then a few outliers and no more.
 */
public final class MedianTime {
  /** One group of some thousand weights at most; as much as no run collects garbage for long. */
  private static final String[] HEAP = {"-Xms256m", "-Xmx256m"};

  private static final double MEDIAN = 50;

  private final int forks;
  private final int iterations;
  private final TimeValue iteration;

  private MedianTime(int forks, int iterations, TimeValue iteration) {
    this.forks = forks;
    this.iterations = iterations;
    this.iteration = iteration;
  }

  /** Two processes, each warmed up for a second and a half and measured for as long. */
  public static MedianTime thorough() {
    return new MedianTime(2, 3, TimeValue.milliseconds(500));
  }

  /** One process that is hardly warm. */
  public static MedianTime quick() {
    return new MedianTime(1, 1, TimeValue.milliseconds(20));
  }

  /**
   * Measures one benchmark.
   *
   * @param benchmark a class with one method annotated as benchmark
   * @param parameters a value for each of its fields annotated as parameter
   * @return nanoseconds per invocation
   * @throws IllegalStateException if the benchmark failed
   */
  public double ns(Class<?> benchmark, Map<String, ?> parameters) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
            .forks(forks)
            .warmupIterations(iterations)
            .warmupTime(iteration)
            .measurementIterations(iterations)
            .measurementTime(iteration)
            .shouldFailOnError(true)
            .jvmArgs(HEAP);
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    try {
      // The lock file of JMH would keep two users of one machine from running at all.
      System.setProperty("jmh.ignoreLock", "true");
      RunResult result =
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT))
              .runSingle();
      return result.getPrimaryResult().getStatistics().getPercentile(MEDIAN);
    } catch (RunnerException e) {
      throw new IllegalStateException(benchmark.getSimpleName() + " " + parameters + " failed", e);
    }
  }
}
