package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GeneratedCodecsTest {
  @Test
  void theCommittedCodecsForCAreWhatTheSchemaGenerates() throws IOException {
    Map<String, String> generated = contents(Path.of("target/generated-c/sdd_wire"));
    assertFalse(generated.isEmpty());
    assertEquals(generated, contents(Path.of("../host/protocol/generated/sdd_wire")));
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toArray(Path[]::new)) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return contents;
  }
}
