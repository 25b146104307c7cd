package org.evenweave.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the modules: everything points at the core, nothing at a runtime. */
@AnalyzeClasses(
    packages = "org.evenweave",
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {
  /** Other modules' tests, which this module's tests use. */
  static final class NoTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String CORE = "org.evenweave.wcmp..";
  private static final String STRIPING = "org.evenweave.striping..";
  private static final String TRAFFIC = "org.evenweave.traffic..";
  private static final String SDD = "org.evenweave.sdd..";
  private static final String BENCH = "org.evenweave.bench..";
  private static final String ENGINE = "org.evenweave.engine..";
  private static final String STANDALONE = "org.evenweave.standalone..";

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
  static final ArchRule stripingKnowsTheCoreAlone =
      noClasses()
          .that()
          .resideInAPackage(STRIPING)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TRAFFIC, SDD, ENGINE, STANDALONE);

  @ArchTest
  static final ArchRule trafficKnowsTheCoreAndItsSolverAlone =
      noClasses()
          .that()
          .resideInAPackage(TRAFFIC)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(TRAFFIC, CORE, "java..", "com.google.ortools..");

  @ArchTest
  static final ArchRule onlyTrafficKnowsTheSolver =
      noClasses()
          .that()
          .resideOutsideOfPackage(TRAFFIC)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.ortools..");

  /** The benchmarks are not on this module's class path; whoever used them would be named here. */
  @ArchTest
  static final ArchRule nothingKnowsTheBenchmarks =
      noClasses()
          .that()
          .resideOutsideOfPackage(BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(BENCH);

  @ArchTest
  static final ArchRule theEngineKnowsNoRuntimeAndNoController =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              STANDALONE,
              STRIPING,
              SDD,
              "org.projectfloodlight..",
              "io.netty..",
              "org.onosproject..");

  @ArchTest
  static final ArchRule featuresOfTheCoreDoNotFormACircle =
      slices().matching("org.evenweave.wcmp.(*)..").should().beFreeOfCycles();
}
