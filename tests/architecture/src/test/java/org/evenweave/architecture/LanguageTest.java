package org.evenweave.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;

/**
 * Nothing that is written depends on the language of who runs it: in Arabic, Persian or Burmese
 * {@code String.format("%d")} writes digits that neither JSON nor a port's name can have, and in
 * Turkish {@code "i".toUpperCase()} is no I. Who means a language names it.
 */
@AnalyzeClasses(locations = CompiledModules.class)
class LanguageTest {
  private static final String CONSTRUCTOR = "<init>";

  /** By class, the methods that have a variant with a {@link java.util.Locale}. */
  private static final Map<String, Set<String>> OF_THE_USERS_LANGUAGE =
      Map.ofEntries(
          Map.entry(
              "java.lang.String", Set.of("format", "formatted", "toLowerCase", "toUpperCase")),
          Map.entry("java.io.Console", Set.of("format", "printf", "readLine")),
          Map.entry("java.io.PrintStream", Set.of("format", "printf")),
          Map.entry("java.io.PrintWriter", Set.of("format", "printf")),
          Map.entry("java.util.Formatter", Set.of(CONSTRUCTOR)),
          Map.entry("java.util.Scanner", Set.of(CONSTRUCTOR)),
          Map.entry("java.text.DecimalFormat", Set.of(CONSTRUCTOR)),
          Map.entry("java.text.MessageFormat", Set.of(CONSTRUCTOR, "format")),
          Map.entry("java.text.SimpleDateFormat", Set.of(CONSTRUCTOR)),
          Map.entry(
              "java.text.NumberFormat",
              Set.of(
                  "getInstance", "getIntegerInstance", "getNumberInstance", "getPercentInstance")),
          Map.entry("java.time.format.DateTimeFormatter", Set.of("ofPattern")),
          Map.entry("java.time.format.DateTimeFormatterBuilder", Set.of("toFormatter")));

  @ArchTest
  static final ArchRule nothingIsWrittenInTheLanguageOfWhoRunsIt =
      noClasses()
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "it formats in the user's language, where one with a Locale is to be called",
                  access -> isOfTheUsersLanguage(access.getTarget())));

  private static boolean isOfTheUsersLanguage(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget
        && OF_THE_USERS_LANGUAGE
            .getOrDefault(target.getOwner().getName(), Set.of())
            .contains(target.getName())
        && ((CodeUnitAccessTarget) target)
            .getRawParameterTypes().stream()
                .noneMatch(type -> type.getName().equals("java.util.Locale"));
  }
}
