package org.evenweave.fuzz;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parsers that are fuzzed. Each has a class with Jazzer's method and a folder of inputs. */
final class Targets {
  /** Beside this module's POM, where tests run. */
  private static final Path CORPORA = Path.of("corpora");

  private static final List<String> CLASSES =
      List.of(
          "org.evenweave.engine.PacketFuzz",
          "org.evenweave.engine.config.ConfigurationFuzz",
          "org.evenweave.engine.config.PatchFuzz",
          "org.evenweave.engine.links.ProbeFuzz",
          "org.evenweave.engine.rest.StripingFuzz",
          "org.evenweave.engine.whatif.SuppositionFuzz",
          "org.evenweave.ovsdb.OvsdbFuzz",
          "org.evenweave.sdd.condition.ConditionFuzz",
          "org.evenweave.sdd.config.SddConfigFuzz",
          "org.evenweave.sdd.handover.PolicyFuzz",
          "org.evenweave.sdd.protocol.ClientMessageFuzz",
          "org.evenweave.standalone.access.AccessFileFuzz",
          "org.evenweave.standalone.openflow.OpenFlowFuzz",
          "org.evenweave.tls.PemFuzz");

  private Targets() {}

  /** The classes' names. */
  static List<String> all() {
    return CLASSES;
  }

  /** Inputs worth keeping: what starts a search, and what once was a fault. */
  static Path corpus(String target) {
    return CORPORA.resolve(target.substring(target.lastIndexOf('.') + 1));
  }

  /** The files of a corpus. */
  static List<Path> inputs(String target) throws IOException {
    try (Stream<Path> files = Files.list(corpus(target))) {
      return files.sorted().collect(Collectors.toList());
    }
  }

  /** Feeds a target; throws what the parser lets escape. */
  static void feed(String target, byte[] input) throws Throwable {
    try {
      Class.forName(target).getMethod("fuzzerTestOneInput", byte[].class).invoke(null, input);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
