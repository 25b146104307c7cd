package org.evenweave.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jazzer on each parser, for {@code -Dfuzz.seconds}, without which this is left out; each in a
 * process of its own of the lowest priority. What breaks one is in {@code target/fuzz}, and belongs
 * in the corpora.
 */
class FuzzTest {
  private static final Pattern RUNS = Pattern.compile("stat::number_of_executed_units: (\\d+)");

  static List<String> targets() {
    return Targets.all();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void nothingThatTheFuzzerFindsBreaksTheParser(String target) throws Exception {
    Path work = Files.createDirectories(Path.of("target", "fuzz", target)).toAbsolutePath();
    Path found = Files.createDirectories(work.resolve("corpus"));
    Path log = work.resolve("log");
    Process fuzzer =
        new ProcessBuilder(
                "nice",
                "-n",
                "19",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("surefire.test.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target,
                "--instrumentation_includes=org.evenweave.**:org.projectfloodlight.**",
                // A fake OVSDB server is connected to.
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery",
                "-max_total_time=" + System.getProperty("fuzz.seconds"),
                "-timeout=300",
                "-max_len=8192",
                "-print_final_stats=1",
                "-artifact_prefix=" + work + File.separator,
                found.toString(),
                Targets.corpus(target).toAbsolutePath().toString())
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status = fuzzer.waitFor();
    String said = Files.readString(log);
    assertEquals(0, status, said.substring(Math.max(0, said.length() - 4000)));
    Matcher runs = RUNS.matcher(said);
    assertTrue(runs.find() && Long.parseLong(runs.group(1)) > 0, "nothing was run: see " + log);
    System.out.println(target + ": " + runs.group(1) + " inputs");
  }
}
