package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.evenweave.engine.rest.OpenApiResource;
import org.evenweave.engine.rest.VersionResource;
import org.evenweave.metrics.MetricsResource;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.metrics.SddMetrics;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.controller.CannotListenException;
import org.evenweave.standalone.controller.ControllerCommand;
import org.evenweave.standalone.controller.Endpoint;
import org.evenweave.standalone.controller.Hangup;
import org.evenweave.standalone.controller.HttpOptions;
import org.evenweave.standalone.controller.SecurityWatch;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.standalone.log.LogMetrics;
import org.evenweave.standalone.log.LogOptions;
import org.evenweave.standalone.log.LogResource;
import org.evenweave.standalone.log.StandardErrorLog;
import org.evenweave.standalone.service.ServiceManager;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenweave sdd}: runs an {@link SddController} and its REST until it is stopped. */
@Command(
    name = "sdd",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    subcommands = {
      SddShowCommand.class,
      SddSharingCommand.class,
      SddTriggersCommand.class,
      SddEdgeCommand.class
    },
    description = {
      "Runs the SDD controller in the foreground: it decides when each queue of each"
          + " host may transmit.",
      "Hosts connect to it with TLS 1.3; its REST resources are under /evenweave/sdd."
          + " Once both accept connections, it writes one line of JSON to standard output:",
      "  {\"ready\":true,\"sdd\":\"127.0.0.1:6650\",\"http\":\"http://127.0.0.1:8282\"}",
      "Its log goes to standard error."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave keys make keys h0 h1 h2 h3 cs",
      "  echo '{\"hosts\":[\"h0\",\"h1\",\"h2\",\"h3\"],\"circuitSwitch\":\"cs\"}' > sdd.json",
      "  evenweave sdd --config sdd.json",
      "  evenweave sdd --config other.json --standby --http 127.0.0.1:8283",
      "  evenweave sdd show schedule",
      "  curl http://127.0.0.1:8282/evenweave/sdd/hosts"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:it cannot listen on an address, use the keys, or write the line",
      "2:wrong options or a wrong configuration",
      "130, 143:stopped by SIGINT or SIGTERM"
    })
public final class SddCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(SddCommand.class);

  private static final Set<String> BESIDE_SDD =
      Set.of("/log", "/metrics", "/openapi.json", "/version");

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration (JSON): hosts, circuitSwitch, listen, keys, clock, periodNs, loop,"
              + " scheduler, sharing, triggers and more; docs/reference/sdd.md lists all.")
  private Path file;

  @Option(
      names = "--standby",
      description =
          "Becomes the leader only when more than half of the hosts, with the circuit switch,"
              + " receive messages from no other controller. Their configurations must name both"
              + " controllers.")
  private boolean standby;

  @Option(
      names = "--check",
      description = "Checks the options, the configuration, keys and tokens, and exits.")
  private boolean check;

  @Mixin private HttpOptions http;

  @Mixin private LogOptions log;

  private static boolean isServed(String path) {
    return path.startsWith("/sdd/") || BESIDE_SDD.contains(path);
  }

  @Override
  public Integer call() throws InterruptedException {
    SddConfig config = config();
    log.apply();
    http.requireProtected(spec.commandLine(), true, "\"keys\" in --config");
    if (check) {
      return check(config);
    }
    SddController controller;
    HttpApi api;
    try {
      // It takes the lead from another only once nothing can end it at its start.
      controller = new SddController(config, true);
    } catch (IOException e) {
      return failed("the SDD controller cannot start: " + e.getMessage());
    }
    try {
      Set<Object> resources = new HashSet<>(SddResources.of(controller));
      resources.add(new LogResource());
      resources.add(new OpenApiResource(SddCommand::isServed));
      resources.add(new VersionResource());
      resources.add(new MetricsResource(List.of(new SddMetrics(controller), new LogMetrics())));
      AccessControl accessControl = http.accessControl();
      api =
          new HttpApi(
              http.address(),
              resources,
              http.names(),
              http.tls() ? controller.tls() : null,
              accessControl);
      Hangup.runs(() -> reload(controller.tls(), accessControl));
      new SecurityWatch(() -> securityProblems(controller, accessControl), problems -> {}).start();
    } catch (IOException e) {
      controller.close();
      return failed(new CannotListenException("--http", http.address(), e).getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(ready(controller, api));
    if (out.checkError()) {
      stop(api, controller);
      return failed(ControllerCommand.NOT_SAID);
    }
    ServiceManager manager = ServiceManager.ofProcess();
    manager.atEnd(() -> stop(api, controller));
    if (!standby && !config.standby()) {
      controller.lead();
    }
    out.println(); // who waits for the line finds that it leads
    out.flush();
    manager.ready(() -> true);
    new CountDownLatch(1).await();
    return 0;
  }

  private int check(SddConfig config) {
    try {
      TlsIdentity.read(config.keys());
      http.requireTokens();
      return 0;
    } catch (IOException e) {
      return failed(e.getMessage());
    }
  }

  private static List<String> securityProblems(
      SddController controller, AccessControl accessControl) {
    List<String> problems = new ArrayList<>(controller.expiringCertificates(Instant.now()));
    problems.addAll(accessControl.problems());
    return problems;
  }

  /** What cannot be used stays as it was; open connections stay. */
  private static void reload(TlsIdentity keys, AccessControl accessControl) {
    try {
      keys.reload();
      accessControl.reload();
      LOG.info("SIGHUP: keys and tokens were read again; open connections stay, unless revoked");
    } catch (IOException e) {
      LOG.error("SIGHUP: the previous keys and tokens stay in use: {}", e.getMessage());
    }
  }

  private int failed(String why) {
    spec.commandLine().getErr().println(why);
    return 1;
  }

  private static void stop(HttpApi api, SddController controller) {
    LOG.info("stopping");
    api.close();
    controller.close();
    LOG.info("stopped");
    StandardErrorLog.finish();
  }

  private static String ready(SddController controller, HttpApi api) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ready", true)
        .put("sdd", Endpoint.text(controller.address()))
        .put("http", api.address().toString())
        .toString();
  }

  private SddConfig config() {
    if (file == null) {
      throw new ParameterException(
          spec.commandLine(),
          "say which configuration: --config FILE (or: show, sharing, triggers, edge)");
    }
    SddConfig config;
    try {
      config = SddConfigReader.read(file);
    } catch (SddConfigException e) {
      throw new ParameterException(spec.commandLine(), "--config: " + e.getMessage());
    }
    if (!config.rackSwitches().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--config: racks.switches: are for evenweave controller --sdd, which knows the fabric");
    }
    return config;
  }
}
