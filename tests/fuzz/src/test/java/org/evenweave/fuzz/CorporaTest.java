package org.evenweave.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No input that is kept breaks its parser; nor does its beginning, nor one with a changed byte. */
class CorporaTest {
  static List<String> targets() {
    return Targets.all();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void whatIsKeptIsReadOrRefused(String target) throws Throwable {
    assertFalse(Targets.inputs(target).isEmpty());
    for (Path file : Targets.inputs(target)) {
      byte[] input = Files.readAllBytes(file);
      Targets.feed(target, input);
      Targets.feed(target, java.util.Arrays.copyOf(input, input.length / 2));
      if (input.length > 0) {
        input[input.length / 2] ^= (byte) 0x80;
        Targets.feed(target, input);
      }
    }
  }
}
