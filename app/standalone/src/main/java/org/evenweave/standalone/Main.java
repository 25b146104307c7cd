package org.evenweave.standalone;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.evenweave.standalone.client.ConfigCommand;
import org.evenweave.standalone.client.DrainCommand;
import org.evenweave.standalone.client.EventsCommand;
import org.evenweave.standalone.client.GroupsCommand;
import org.evenweave.standalone.client.HostsCommand;
import org.evenweave.standalone.client.OversubscriptionCommand;
import org.evenweave.standalone.client.PathsCommand;
import org.evenweave.standalone.client.StatusCommand;
import org.evenweave.standalone.client.TopologyCommand;
import org.evenweave.standalone.client.UndrainCommand;
import org.evenweave.standalone.client.VerifyFabricCommand;
import org.evenweave.standalone.client.WhatIfCommand;
import org.evenweave.standalone.controller.ControllerCommand;
import org.evenweave.standalone.help.CompletionCommand;
import org.evenweave.standalone.help.ManCommand;
import org.evenweave.standalone.keys.KeysCommand;
import org.evenweave.standalone.keys.MakeKeysCommand;
import org.evenweave.standalone.log.StandardErrorLog;
import org.evenweave.standalone.sdd.SddCommand;
import org.evenweave.standalone.tools.FitTool;
import org.evenweave.standalone.tools.PlanTool;
import org.evenweave.standalone.tools.ReduceTool;
import org.evenweave.standalone.tools.ScheduleTool;
import org.evenweave.standalone.tools.StripeTool;
import org.evenweave.standalone.tools.VerifyTool;
import org.evenweave.standalone.tools.WeightsTool;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line. Exit codes: 0 done, 1 failed, 2 wrongly used. */
@Command(
    name = "evenweave",
    description = "Flow management for data-centre fabrics.",
    mixinStandardHelpOptions = true)
public final class Main implements Runnable {
  /** In the order in which the help lists them. */
  private static final List<Class<?>> SUBCOMMANDS =
      List.of(
          ControllerCommand.class,
          SddCommand.class,
          KeysCommand.class,
          WeightsTool.class,
          ReduceTool.class,
          FitTool.class,
          StripeTool.class,
          PlanTool.class,
          VerifyTool.class,
          ScheduleTool.class,
          StatusCommand.class,
          TopologyCommand.class,
          HostsCommand.class,
          GroupsCommand.class,
          PathsCommand.class,
          OversubscriptionCommand.class,
          EventsCommand.class,
          VerifyFabricCommand.class,
          DrainCommand.class,
          UndrainCommand.class,
          WhatIfCommand.class,
          ConfigCommand.class,
          CompletionCommand.class,
          ManCommand.class,
          VersionCommand.class);

  /** They describe all others. */
  private static final Set<String> DESCRIBE_ALL = Set.of("completion", "man");

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say which command: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The command line, ready to be executed. */
  public static CommandLine commandLine() {
    return commandLine(SUBCOMMANDS);
  }

  /**
   * The command line for these arguments: with the subcommand alone that they name, because the
   * models of all subcommands take as long as the rest of a short command.
   */
  static CommandLine commandLineFor(String... arguments) {
    return commandLine(
        SUBCOMMANDS.stream()
            .filter(type -> arguments.length > 0 && arguments[0].equals(name(type)))
            .filter(type -> !DESCRIBE_ALL.contains(name(type)))
            .findFirst()
            .<List<Class<?>>>map(List::of)
            .orElse(SUBCOMMANDS));
  }

  private static CommandLine commandLine(List<Class<?>> subcommands) {
    CommandLine commands = new CommandLine(new Main());
    subcommands.forEach(type -> commands.addSubcommand(type));
    // The name that the command had when SDD alone used certificates.
    CommandLine sdd = commands.getSubcommands().get("sdd");
    if (sdd != null) {
      sdd.addSubcommand("keys", new MakeKeysCommand());
    }
    haveVersion(commands);
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::wronglyUsed)
        .setExecutionExceptionHandler(Main::failed);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** Commands do not inherit it. */
  private static void haveVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new VersionCommand.Provider());
    command.getSubcommands().values().forEach(Main::haveVersion);
  }

  /** One line that says what is wrong, one that says where to read on. */
  private static int wronglyUsed(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + wrong.getMessage());
    command.getErr().println("Try: " + name + " --help");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static int failed(Exception failure, CommandLine command, ParseResult arguments) {
    // Most commands never log, and start sooner without.
    LoggerFactory.getLogger(Main.class)
        .error("{} failed", command.getCommandSpec().qualifiedName(), failure);
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  public static void main(String[] arguments) {
    // Not System.out, which keeps to itself that nothing can be written.
    PrintWriter out =
        new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    int status = commandLineFor(arguments).setOut(out).execute(arguments);
    StandardErrorLog.finish();
    System.exit(status);
  }
}
