package org.evenweave.sdd;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows within the SDD controller: schedulers compute, and know neither hosts nor wires. */
@AnalyzeClasses(packages = "org.evenweave", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
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

  @ArchTest
  static final ArchRule schedulersKnowOneAnotherAndTheJdkAlone =
      classes()
          .that()
          .resideInAnyPackage(SCHEDULERS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(concat(SCHEDULERS, "java.lang..", "java.util"));

  @ArchTest
  static final ArchRule theSddControllerKnowsNothingElseOfTheProject =
      noClasses()
          .that()
          .resideInAPackage("org.evenweave.sdd..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.evenweave.wcmp..",
              "org.evenweave.striping..",
              "org.evenweave.traffic..",
              "org.evenweave.engine..",
              "org.evenweave.standalone..",
              "org.evenweave.app..",
              "org.evenweave.bench..");

  @ArchTest
  static final ArchRule packagesDoNotFormACircle =
      slices().matching("org.evenweave.sdd.(*)..").should().beFreeOfCycles();

  private static String[] concat(String[] first, String... more) {
    String[] all = java.util.Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }
}
