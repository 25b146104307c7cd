package org.evenweave.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of this runtime: it joins the engine and the SDD controller, which know neither. */
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

  private static final String APP = "org.evenweave.app..";

  @ArchTest
  static final ArchRule nothingElseKnowsOnos =
      noClasses()
          .that()
          .resideOutsideOfPackage(APP)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(APP, "org.onosproject..", "org.osgi..");

  @ArchTest
  static final ArchRule theSddControllerAndTheEngineRunWithoutEachOther =
      noClasses()
          .that()
          .resideInAPackage("org.evenweave.app.sdd..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.evenweave.engine..", "org.evenweave.wcmp..");

  @ArchTest
  static final ArchRule onlySddAndRestKnowTheSddController =
      noClasses()
          .that()
          .resideInAPackage(APP)
          .and()
          .resideOutsideOfPackages("org.evenweave.app.sdd..", "org.evenweave.app.rest..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.evenweave.sdd..");

  @ArchTest
  static final ArchRule onlyTheSddControllerKnowsNetty =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.evenweave.sdd..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule packagesDoNotFormACircle =
      slices().matching("org.evenweave.app.(*)..").should().beFreeOfCycles();
}
