package org.evenweave.bench.common;

import picocli.CommandLine.Option;

/** Options that every benchmark takes. */
public final class BenchmarkOptions {
  @Option(names = "--json", description = "Print one JSON object; progress goes to stderr.")
  public boolean json;

  @Option(
      names = "--quick",
      description =
          "Tiny parameters, a few seconds: shows the form of the result, not its figures.")
  public boolean quick;

  @Option(names = "--seed", defaultValue = "1", description = "Seed (default: ${DEFAULT-VALUE}).")
  public long seed;

  @Option(names = "--help", usageHelp = true, description = "Show this help and exit.")
  boolean help;
}
