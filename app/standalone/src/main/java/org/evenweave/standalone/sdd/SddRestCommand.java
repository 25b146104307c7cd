package org.evenweave.standalone.sdd;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.evenweave.standalone.controller.HttpAddress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that asks a running controller. */
abstract class SddRestCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--http",
      order = 1,
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8282",
      converter = HttpAddress.class,
      description = "The controller's REST, also as http://HOST:PORT (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress http;

  @Override
  public final Integer call() throws InterruptedException {
    try {
      PrintWriter out = spec.commandLine().getOut();
      out.print(answer(new SddRest(http)));
      if (out.checkError()) {
        throw new SddRest.NoAnswerException(
            "the controller's answer cannot be written to standard output");
      }
      return 0;
    } catch (SddRest.NoAnswerException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }

  /** What the controller is asked, and what is shown of its answer. */
  abstract String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException;

  ParameterException wrong(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }
}
