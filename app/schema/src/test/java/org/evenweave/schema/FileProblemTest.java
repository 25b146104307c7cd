package org.evenweave.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {
  @Test
  void theReasonIsSaidWhereTheMessageIsTheNameAlone(@TempDir Path folder) {
    assertEquals("permission denied", FileProblem.of(new AccessDeniedException("/etc/shadow")));
    assertEquals(
        "Too many open files",
        FileProblem.of(new FileSystemException("/f", null, "Too many open files")));
    assertEquals("FileSystemException", FileProblem.of(new FileSystemException("/f")));
    IOException missing =
        assertThrows(IOException.class, () -> Files.newInputStream(folder.resolve("none")));
    assertEquals("no such file", FileProblem.of(missing));
    IOException isDirectory =
        assertThrows(IOException.class, () -> Files.newInputStream(folder).read());
    assertEquals("Is a directory", FileProblem.of(isDirectory));
  }
}
