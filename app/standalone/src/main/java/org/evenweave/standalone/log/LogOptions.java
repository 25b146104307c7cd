package org.evenweave.standalone.log;

import picocli.CommandLine.Option;

/** The options of a command that runs for long and logs. */
public final class LogOptions {
  @Option(
      names = "--log-format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Format of the log (default: ${DEFAULT-VALUE}); json: one object per line.")
  private LogFormat format;

  /** Prepares the log; to be called before anything is logged. */
  public void apply() {
    StandardErrorLog.runs(format);
  }
}
