package org.evenweave.standalone.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.standalone.log.LogOptions;
import org.evenweave.standalone.log.StandardErrorLog;
import org.evenweave.standalone.openflow.MasterRule;
import org.evenweave.standalone.service.ServiceManager;
import org.evenweave.tls.TlsIdentity;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.weights.WeightRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenweave controller}: runs a {@link Controller} until it is stopped. */
@Command(
    name = "controller",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Runs the controller in the foreground.",
      "Switches connect to it with OpenFlow 1.3; its REST resources are under /evenweave."
          + " Once both accept connections, it writes one line of JSON to standard output:",
      "  {\"ready\":true,\"openflow\":\"127.0.0.1:6653\",\"http\":\"http://127.0.0.1:8282\"}",
      "Its log goes to standard error. The log never delays it: lines that nobody reads are"
          + " dropped and counted (GET /evenweave/log).",
      "At SIGHUP it reads the files of --fabric, --keys and --access again. A file with an error"
          + " changes nothing; the log has the error. Open connections stay open.",
      "Beyond loopback it requires TLS (--keys) and log-in, unless --insecure is set."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave controller",
      "  evenweave controller --fabric fabric.json --strategy ecmp",
      "  evenweave controller --openflow 127.0.0.1:6654 --http 8283",
      "  evenweave controller --openflow 10.0.0.1:6653 --http 10.0.0.1:8282 \\",
      "    --keys keys --access access.json --audit-log audit.jsonl",
      "  evenweave controller --fabric fabric.json --check && kill -HUP PID",
      "",
      "  ovs-vsctl set bridge s1 protocols=OpenFlow13 fail_mode=secure",
      "  ovs-vsctl set-controller s1 tcp:127.0.0.1:6653",
      "  curl http://127.0.0.1:8282/evenweave/status"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:it cannot listen on an address, cannot write the line, or failed",
      "2:wrong options or a wrong fabric file",
      "130, 143:stopped by SIGINT or SIGTERM"
    })
public final class ControllerCommand implements Callable<Integer> {
  /** Why a controller ends that cannot say that it is ready: who has started it would wait. */
  public static final String NOT_SAID = "the ready line cannot be written to standard output";

  private static final Logger LOG = LoggerFactory.getLogger(ControllerCommand.class);
  private static final double LEAST_TIMEOUT_SECONDS = 0.1;
  private static final double LONGEST_TIMEOUT_SECONDS = 3600;

  /** A port may send the controller 10 LLDP frames a second, answers to probes among them. */
  private static final double LEAST_PROBE_PERIOD_SECONDS = 0.2;

  private static final double LONGEST_PROBE_PERIOD_SECONDS = 60;

  @Spec private CommandSpec spec;

  @Option(
      names = "--fabric",
      paramLabel = "FILE",
      description =
          "The configuration (JSON): intended switches, links and subnets, strategy,"
              + " maxOversubscription, excluded.")
  private Path fabric;

  @Option(
      names = "--openflow",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:6653",
      converter = Endpoint.class,
      description = "Where switches connect (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress openflow;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description =
          "The folder with ca.pem, controller.pem and controller.key (evenweave keys make), for TLS"
              + " with switches, OVSDB servers and HTTP clients. Switches then need a certificate for"
              + " their datapath id.")
  private Path keys;

  @Mixin private HttpOptions http;

  @Mixin private LogOptions log;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      converter = Strategy.class,
      completionCandidates = Strategy.class,
      description =
          "How next hops are weighted at the start: ${COMPLETION-CANDIDATES} (default: as"
              + " configured, else auto).")
  private WeightRule strategy;

  @Option(
      names = "--switch-timeout",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "How long a switch may leave a request or an echo unanswered (default:"
              + " ${DEFAULT-VALUE}).")
  private double timeoutSeconds;

  @Option(
      names = "--probe-period",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "How often every port is probed by LLDP (default: ${DEFAULT-VALUE}). A link whose ports"
              + " stay up counts as down when 3 or 4 probes in a row are lost; BFD in the switches is"
              + " faster.")
  private double probePeriodSeconds;

  @Option(
      names = "--standby",
      description =
          "Does not claim a switch that has a master until the switch's OVSDB server (bfd.ovsdb in"
              + " the configuration) reports that none of its controllers is master. Without this"
              + " option the controller becomes master of every switch. If another controller"
              + " becomes master, it claims the switch back: the first time at once, then after"
              + " 1 s, 2 s and so on up to 64 s.")
  private boolean standby;

  @Option(
      names = "--sdd",
      paramLabel = "FILE",
      description =
          "Runs the SDD controller too, with this configuration (JSON; see evenweave sdd --help).")
  private Path sdd;

  @Option(
      names = "--check",
      description =
          "Checks the options, the files, keys and tokens too, and whether the groups fit the"
              + " switches' tables, and exits; status 1 or 2 if not.")
  private boolean check;

  @Override
  public Integer call() throws InterruptedException {
    Duration timeout =
        duration(
            "--switch-timeout", timeoutSeconds, LEAST_TIMEOUT_SECONDS, LONGEST_TIMEOUT_SECONDS);
    Duration probePeriod =
        duration(
            "--probe-period",
            probePeriodSeconds,
            LEAST_PROBE_PERIOD_SECONDS,
            LONGEST_PROBE_PERIOD_SECONDS);
    String tooFewFiles = OpenFiles.problem();
    if (!tooFewFiles.isEmpty()) {
      spec.commandLine().getErr().println(tooFewFiles);
      return 1;
    }
    EngineConfig config = config();
    log.apply();
    requireProtected();
    if (check) {
      requireFit(config);
      sddConfig();
    }
    Security security;
    try {
      TlsIdentity identity = keys == null ? null : TlsIdentity.read(keys);
      if (check) {
        http.requireTokens();
        return 0;
      }
      security = new Security(identity, http.tls(), http.accessControl());
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    Controller controller;
    try {
      controller =
          Controller.start(
              config,
              openflow,
              http.address(),
              http.names(),
              timeout,
              probePeriod,
              standby ? MasterRule.STANDBY : MasterRule.CLAIM,
              sddConfig(),
              security);
    } catch (CannotListenException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    } catch (CannotFitException e) {
      throw cannotFit(config, e);
    }
    Runnable reloadKeys =
        new SecurityReload(security, () -> controller.sddKeys().map(List::of).orElse(List.of()));
    Runnable reloadFabric = new FabricReload(fabric, this::withOptions, controller::change);
    Hangup.runs(
        () -> {
          reloadKeys.run();
          if (fabric != null || !security.hasFiles()) {
            reloadFabric.run();
          }
        });
    ServiceManager manager = ServiceManager.ofProcess();
    // Before it says that it is ready: who reads that may end it at once.
    manager.atEnd(() -> stop(controller));
    PrintWriter out = spec.commandLine().getOut();
    out.println(ready(controller));
    if (out.checkError()) {
      spec.commandLine().getErr().println(NOT_SAID);
      return 1;
    }
    manager.ready(controller::isAlive);
    new CountDownLatch(1).await();
    return 0;
  }

  private void requireProtected() {
    boolean isPublic = !openflow.getAddress().isLoopbackAddress();
    if (isPublic && keys == null && !http.insecure()) {
      throw new ParameterException(
          spec.commandLine(),
          "--openflow "
              + Endpoint.text(openflow)
              + " can be reached from other machines, where anybody could pass for a switch: TLS"
              + " needs --keys DIR (evenweave keys make); --insecure lets anybody connect");
    }
    http.requireProtected(spec.commandLine(), keys != null, "--keys DIR (evenweave keys make)");
    if (isPublic && keys == null) {
      HttpOptions.warnPublic("--openflow", openflow);
    }
  }

  private void requireFit(EngineConfig config) {
    try {
      Engine.requireFit(config);
    } catch (CannotFitException e) {
      throw cannotFit(config, e);
    }
  }

  private ParameterException cannotFit(EngineConfig config, CannotFitException why) {
    return new ParameterException(
        spec.commandLine(), "--fabric: " + fabric + ": " + why.in(config.intended()).getMessage());
  }

  private static void stop(Controller controller) {
    LOG.info("stopping");
    controller.close();
    LOG.info("stopped");
    StandardErrorLog.finish();
  }

  private static String ready(Controller controller) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ready", true)
        .put("openflow", Endpoint.text(controller.openflow()))
        .put("http", controller.http().toString())
        .toString();
  }

  private Duration duration(String option, double seconds, double least, double longest) {
    if (!(seconds >= least && seconds <= longest)) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be from " + least + " to " + longest + " seconds, not " + seconds);
    }
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  private SddConfig sddConfig() {
    try {
      return sdd == null ? null : SddConfigReader.read(sdd);
    } catch (SddConfigException e) {
      throw new ParameterException(spec.commandLine(), "--sdd: " + e.getMessage());
    }
  }

  private EngineConfig withOptions(EngineConfig config) {
    return strategy == null ? config : config.withWeightRule(strategy).requireCountable();
  }

  private EngineConfig config() {
    EngineConfig config = configured();
    try {
      return withOptions(config);
    } catch (FabricException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage());
    }
  }

  private EngineConfig configured() {
    if (fabric == null) {
      return EngineConfig.empty();
    }
    try {
      return ConfigReader.read(fabric);
    } catch (FabricException e) {
      String file = fabric.toString().equals(e.path()) ? "" : fabric + ": ";
      throw new ParameterException(spec.commandLine(), "--fabric: " + file + e.getMessage());
    }
  }

  /** Reads the name of a weight rule, and lists all for the help and for shells. */
  static final class Strategy implements ITypeConverter<WeightRule>, Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return WeightRule.strategyNames().iterator();
    }

    @Override
    public WeightRule convert(String name) {
      try {
        return WeightRule.named(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
