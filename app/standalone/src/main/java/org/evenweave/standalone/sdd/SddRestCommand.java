package org.evenweave.standalone.sdd;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.evenweave.standalone.client.ClientException;
import org.evenweave.standalone.client.Profile;
import org.evenweave.standalone.client.Rest;
import org.evenweave.standalone.controller.Endpoint;
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
      converter = HttpAddress.class,
      description =
          "A controller's REST without TLS and log-in, also as http://HOST:PORT (default:"
              + " the default profile, else 127.0.0.1:8282).")
  private InetSocketAddress http;

  @Option(
      names = "--server",
      order = 2,
      paramLabel = "URL",
      description =
          "The controller's REST, as https://10.0.0.1:8282. No log-in is sent to it"
              + " without --profile.")
  private String server;

  @Option(
      names = "--profile",
      order = 3,
      paramLabel = "NAME",
      description = "A profile of ~/.config/evenweave/profiles.json (default: its default).")
  private String profile;

  @Override
  public final Integer call() throws InterruptedException {
    try {
      PrintWriter out = spec.commandLine().getOut();
      out.print(answer(new SddRest(new Rest(profile()))));
      if (out.checkError()) {
        throw new SddRest.NoAnswerException(
            "the controller's answer cannot be written to standard output");
      }
      return 0;
    } catch (ClientException | SddRest.NoAnswerException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }

  private Profile profile() throws ClientException {
    if (http == null) {
      return Profile.read(Profile.file(System.getenv()), profile, server);
    }
    if (server != null || profile != null) {
      throw wrong("--http has no log-in: use --server or --profile alone");
    }
    return Profile.open("http://" + Endpoint.text(http));
  }

  /** What the controller is asked, and what is shown of its answer. */
  abstract String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException;

  ParameterException wrong(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }
}
