package org.evenweave.bench;

import org.evenweave.bench.arbiter.ArbiterCommand;
import org.evenweave.bench.figure312.Figure312Command;
import org.evenweave.bench.fitting.FittingCommand;
import org.evenweave.bench.leaveout.LeaveOutCommand;
import org.evenweave.bench.optimality.OptimalityCommand;
import org.evenweave.bench.reduction.ReductionCommand;
import org.evenweave.bench.scale.ScaleCommand;
import org.evenweave.bench.sharing.SharingCommand;
import org.evenweave.bench.solstice.SolsticeCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./evenweave bench NAME}. Exit codes: 0 done, 1 failed, 2 wrongly used. */
@Command(
    name = "evenweave bench",
    description = "Benchmarks. Compare ratios of one run; absolute times are the machine's.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "And on live fabrics, hosts and tools, each with a help of its own:",
      "  attack       Port down to last group confirmed, under attack.",
      "  cli          Groups per second of reduce, memory of weights.",
      "  failover     Port down to last group confirmed, on every runtime.",
      "  figure-3.8   ECMP against WCMP on live switches.",
      "  liveness     Links that BFD takes for dead while none is.",
      "  pairs        Weights of all pairs of switches: time for a user.",
      "  sdd          How exactly hosts transmit, alone and under the controller.",
      "  sim          The simulator's speed, beside ns-3's own devices and hosts.",
      "  slow-link    TCP flows beside a slow link, with and without ports left out.",
      "  soak         Random faults on random fabrics: losses, and errors that remain.",
      "  traffic      The gain of weights for the measured traffic matrix, live.",
    },
    subcommands = {
      ReductionCommand.class,
      FittingCommand.class,
      ScaleCommand.class,
      ArbiterCommand.class,
      SolsticeCommand.class,
      OptimalityCommand.class,
      LeaveOutCommand.class,
      SharingCommand.class,
      Figure312Command.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say which benchmark: "
            + String.join(", ", spec.subcommands().keySet())
            + ", cli, failover, figure-3.8, liveness, pairs, sdd, sim, slow-link, soak, traffic");
  }

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Main())
            .setParameterExceptionHandler(Main::wronglyUsed)
            .execute(arguments));
  }

  /** One line that says what is wrong, one that says where to read on. */
  private static int wronglyUsed(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + wrong.getMessage());
    command.getErr().println("Try: " + name + " --help");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
