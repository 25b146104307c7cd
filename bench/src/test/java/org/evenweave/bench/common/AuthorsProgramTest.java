package org.evenweave.bench.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorsProgramTest {
  @TempDir private Path folder;

  @Test
  void thereIsNoneWithoutAPath() {
    assertTrue(AuthorsProgram.at(null).isEmpty());
    assertTrue(AuthorsProgram.at("").isEmpty());
  }

  @Test
  void getsItsInputAndArgumentsAndGivesItsLines() throws IOException {
    AuthorsProgram program =
        AuthorsProgram.at(Scripts.write(folder, "cat; echo \"$1\"; echo noise >&2")).orElseThrow();
    assertEquals(List.of("1 2", "3", "x"), program.run("1 2\n3\n", "x"));
  }

  @Test
  void aProgramThatFailsIsAnErrorThatNamesIt() throws IOException {
    AuthorsProgram failing = AuthorsProgram.at(Scripts.write(folder, "exit 3")).orElseThrow();
    UncheckedIOException error = assertThrows(UncheckedIOException.class, () -> failing.run(""));
    assertTrue(error.getMessage().contains("authors.sh"), error.getMessage());
    assertTrue(error.getMessage().endsWith("it ended with status 3"), error.getMessage());
    AuthorsProgram none = AuthorsProgram.at(folder.resolve("none").toString()).orElseThrow();
    assertThrows(UncheckedIOException.class, () -> none.run(""));
  }
}
