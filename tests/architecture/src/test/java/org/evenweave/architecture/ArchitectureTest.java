package org.evenweave.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** Which module and package may use which. */
@AnalyzeClasses(locations = CompiledModules.class)
class ArchitectureTest {
  private static final String CORE = "org.evenweave.wcmp..";
  private static final String TRAFFIC = "org.evenweave.traffic..";
  private static final String SCHEMA = "org.evenweave.schema..";
  private static final String TLS = "org.evenweave.tls..";
  private static final String METRICS = "org.evenweave.metrics..";
  private static final String SDD = "org.evenweave.sdd..";
  private static final String ENGINE = "org.evenweave.engine..";
  private static final String OPENFLOW = "org.evenweave.openflow..";
  private static final String OVSDB = "org.evenweave.ovsdb..";
  private static final String WEB = "org.evenweave.web..";
  private static final String ONOS = "org.evenweave.app..";
  private static final String STANDALONE = "org.evenweave.standalone..";

  private static final String[] SCHEDULERS = {
    "org.evenweave.sdd.demand..",
    "org.evenweave.sdd.schedule..",
    "org.evenweave.sdd.tdma..",
    "org.evenweave.sdd.solstice..",
    "org.evenweave.sdd.birkhoff..",
    "org.evenweave.sdd.fastpass..",
    "org.evenweave.sdd.rate..",
    "org.evenweave.sdd.sharing.."
  };

  /** Of all modules; a package and one below it are two. */
  @ArchTest
  static final ArchRule packagesDoNotFormCycles =
      slices().matching("org.evenweave.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule modulesUseTheModulesBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("org.evenweave..")
          .ensureAllClassesAreContainedInArchitecture()
          .layer("wcmp-core")
          .definedBy(CORE)
          .layer("striping")
          .definedBy("org.evenweave.striping..")
          .layer("traffic")
          .definedBy(TRAFFIC)
          .layer("schema")
          .definedBy(SCHEMA)
          .layer("tls")
          .definedBy(TLS)
          .layer("metrics")
          .definedBy(METRICS)
          .layer("sdd-controller")
          .definedBy(SDD)
          .layer("engine")
          .definedBy(ENGINE)
          .layer("openflow")
          .definedBy(OPENFLOW)
          .layer("ovsdb")
          .definedBy(OVSDB)
          .layer("web")
          .definedBy(WEB)
          .layer("onos")
          .definedBy(ONOS)
          .layer("standalone")
          .definedBy(STANDALONE)
          .layer("bench")
          .definedBy("org.evenweave.bench..")
          .whereLayer("wcmp-core")
          .mayNotAccessAnyLayer()
          .whereLayer("striping")
          .mayOnlyAccessLayers("wcmp-core")
          .whereLayer("traffic")
          .mayOnlyAccessLayers("wcmp-core")
          .whereLayer("schema")
          .mayNotAccessAnyLayer()
          .whereLayer("metrics")
          .mayNotAccessAnyLayer()
          .whereLayer("tls")
          .mayNotAccessAnyLayer()
          .whereLayer("sdd-controller")
          .mayOnlyAccessLayers("metrics", "schema", "tls")
          .whereLayer("engine")
          .mayOnlyAccessLayers("metrics", "schema", "striping", "wcmp-core")
          .whereLayer("openflow")
          .mayOnlyAccessLayers("engine", "wcmp-core")
          .whereLayer("ovsdb")
          .mayOnlyAccessLayers("engine", "tls", "wcmp-core")
          .whereLayer("web")
          .mayNotAccessAnyLayer()
          .whereLayer("onos")
          .mayOnlyAccessLayers(
              "engine",
              "metrics",
              "openflow",
              "ovsdb",
              "schema",
              "sdd-controller",
              "striping",
              "wcmp-core",
              "web")
          .whereLayer("standalone")
          .mayOnlyAccessLayers(
              "engine",
              "metrics",
              "openflow",
              "ovsdb",
              "schema",
              "sdd-controller",
              "striping",
              "tls",
              "traffic",
              "wcmp-core",
              "web")
          .whereLayer("bench")
          .mayOnlyAccessLayers("engine", "sdd-controller", "striping", "wcmp-core");

  @ArchTest
  static final ArchRule theCoreDependsOnNothingButTheJdk =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(CORE, "java..");

  @ArchTest
  static final ArchRule theCoreDoesNoInputOrOutput =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.io..", "java.nio..", "java.net..");

  @ArchTest
  static final ArchRule trafficDependsOnTheCoreAndItsSolverAlone =
      noClasses()
          .that()
          .resideInAPackage(TRAFFIC)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(TRAFFIC, CORE, "java..", "com.google.ortools..");

  @ArchTest
  static final ArchRule onlyTrafficDependsOnTheSolver =
      noClasses()
          .that()
          .resideOutsideOfPackage(TRAFFIC)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.ortools..");

  @ArchTest
  static final ArchRule schedulersDependOnOneAnotherAndTheJdkAlone =
      classes()
          .that()
          .resideInAnyPackage(SCHEDULERS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              Stream.concat(Stream.of(SCHEDULERS), Stream.of("java.lang..", "java.util"))
                  .toArray(String[]::new));

  /** It may use ONOS's library of packet formats, org.onlab.packet, which needs no ONOS. */
  @ArchTest
  static final ArchRule theEngineDependsOnNoRuntime =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.projectfloodlight..", "io.netty..");

  /** Its users have two releases of openflowj, so it may use what both have, and nothing else. */
  @ArchTest
  static final ArchRule theOpenFlowCodecDependsOnWhatTheEnginesPortsCarryAndOpenflowjAlone =
      noClasses()
          .that()
          .resideInAPackage(OPENFLOW)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              OPENFLOW,
              "org.evenweave.engine.foreign",
              "org.evenweave.engine.headers",
              "org.evenweave.engine.nib",
              "org.evenweave.engine.port",
              "org.evenweave.wcmp.fabric",
              "org.projectfloodlight.openflow..",
              "java..");

  @ArchTest
  static final ArchRule onlyMetricsDependOnPrometheus =
      noClasses()
          .that()
          .resideOutsideOfPackage(METRICS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.prometheus..");

  @ArchTest
  static final ArchRule onlyTheOnosApplicationDependsOnOnos =
      noClasses()
          .that()
          .resideOutsideOfPackage(ONOS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.onosproject..", "org.osgi..");

  /** In ONOS openflowj writes flow entries into Netty's buffers. */
  @ArchTest
  static final ArchRule onlyListenersAndTheRuntimesDependOnNetty =
      noClasses()
          .that()
          .resideOutsideOfPackages(SDD, STANDALONE, TLS, "org.evenweave.app.southbound..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule inOnosSddRunsWithoutTheEngine =
      noClasses()
          .that()
          .resideInAPackage("org.evenweave.app.sdd..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, CORE);

  @ArchTest
  static final ArchRule inOnosOnlySddAndRestDependOnTheSddController =
      noClasses()
          .that()
          .resideInAPackage(ONOS)
          .and()
          .resideOutsideOfPackages("org.evenweave.app.sdd..", "org.evenweave.app.rest..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SDD);
}
