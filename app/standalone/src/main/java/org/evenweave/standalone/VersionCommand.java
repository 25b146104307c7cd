package org.evenweave.standalone;

import org.evenweave.engine.release.Release;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code evenweave version}: prints the release, as the option {@code --version} does. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    description = "Prints the version: evenweave 1.0.0, for example.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().printVersionHelp(spec.commandLine().getOut());
  }

  /** What {@code --version} prints. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"evenweave " + Release.version()};
    }
  }
}
