package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that asks a running controller, of either runtime. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, and nothing is wrong",
      "1:the controller refused the request",
      "2:wrong arguments, profile or file",
      "3:no controller can be reached",
      "4:the answer reports a problem, such as not converged",
      "5:the log-in is missing or not sufficient"
    })
abstract class ClientCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--server",
      order = 90,
      paramLabel = "URL",
      description =
          "The controller, as http://127.0.0.1:8282 (default), or"
              + " http://ADDRESS:8181/onos/evenweave for ONOS. No log-in is sent to it without"
              + " --profile.")
  private String server;

  @Option(
      names = "--profile",
      order = 91,
      paramLabel = "NAME",
      description = "A profile of ~/.config/evenweave/profiles.json (default: its default).")
  private String profile;

  @Option(names = "--json", order = 92, description = "Prints the answer as JSON.")
  boolean json;

  @Override
  public final Integer call() throws InterruptedException {
    try {
      Rest rest = new Rest(Profile.read(Profile.file(System.getenv()), profile, server));
      int code = run(rest);
      if (out().checkError()) {
        throw new ClientException(
            ClientException.REFUSED, "the answer cannot be written to standard output");
      }
      return code;
    } catch (ClientException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return e.exitCode();
    }
  }

  /** Asks, prints, and returns the exit code. */
  abstract int run(Rest rest) throws ClientException, InterruptedException;

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints the answer as JSON if that is asked for, else as text. */
  void print(JsonNode answer, String text) {
    if (json) {
      out().println(answer);
    } else {
      out().print(text);
    }
  }

  ParameterException wrong(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** With four decimals: a share or an oversubscription. */
  static String ratio(JsonNode value) {
    return value.isMissingNode() ? "" : String.format(Locale.ROOT, "%.4f", value.asDouble());
  }

  /** In the unit that makes it shortest. */
  static String bps(double value) {
    String[] units = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
    double scaled = value;
    int unit = 0;
    while (scaled >= 1000 && unit < units.length - 1) {
      scaled /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.4g ", scaled).replaceAll("\\.?0+ $", " ") + units[unit];
  }
}
