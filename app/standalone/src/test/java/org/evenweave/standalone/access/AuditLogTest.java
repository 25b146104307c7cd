package org.evenweave.standalone.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-28T12:00:00Z"), ZoneOffset.UTC);
  private static final Account ALICE = new Account("alice", Role.CONFIGURE, "certificate");

  @TempDir Path temporary;

  private static ByteBuffer body(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aLineSaysWhoFromWhereWhatAndWithWhichResult() throws Exception {
    Path file = temporary.resolve("audit.jsonl");
    try (AuditLog log = new AuditLog(file, 1 << 20, CLOCK)) {
      log.add(ALICE, "10.0.0.9:1", "PUT", "/evenweave/strategy", 200, body("{\"strategy\":\"x\"}"));
      log.add(ALICE, "10.0.0.9:2", "PUT", "/evenweave/configuration", 400, body("y".repeat(2000)));
    }
    List<String> lines = Files.readAllLines(file);
    assertEquals(
        "{\"at\":\"2026-11-28T12:00:00Z\",\"who\":\"alice\",\"from\":\"10.0.0.9:1\","
            + "\"method\":\"PUT\",\"uri\":\"/evenweave/strategy\",\"status\":200,"
            + "\"role\":\"configure\",\"by\":\"certificate\","
            + "\"body\":\"{\\\"strategy\\\":\\\"x\\\"}\"}",
        lines.get(0));
    assertTrue(lines.get(1).contains("\"bodyBytes\":2000,\"bodySha256\":\""), lines.get(1));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void refusedAttemptsCannotPushOutWhatHappened() throws Exception {
    Path file = temporary.resolve("audit.jsonl");
    try (AuditLog log = new AuditLog(file, 1 << 20, CLOCK)) {
      for (int i = 0; i < 1000; i++) {
        log.addRefused("", "10.0.0.9", "10.0.0.9:" + i, "PUT", "/evenweave/strategy", 401);
      }
    }
    assertEquals(1, Files.readAllLines(file).size());
  }

  @Test
  void filesAreBoundedInSizeAndNumberAndLinesStayAcrossRestarts() throws Exception {
    Path file = temporary.resolve("audit.jsonl");
    for (int run = 0; run < 3; run++) {
      try (AuditLog log = new AuditLog(file, 2000, CLOCK)) {
        for (int i = 0; i < 60; i++) {
          log.add(ALICE, "10.0.0.9:" + i, "PUT", "/evenweave/strategy", 200, body(""));
        }
      }
    }
    for (int number = 1; number <= 9; number++) {
      Path kept = temporary.resolve("audit.jsonl." + number);
      assertTrue(Files.size(kept) <= 2000, kept.toString());
    }
    assertFalse(Files.exists(temporary.resolve("audit.jsonl.10")));
    List<String> last = Files.readAllLines(file);
    assertTrue(last.get(last.size() - 1).contains("10.0.0.9:59"));
  }

  @Test
  void aFileThatWasMovedAwayIsMadeAnewAndNoLineIsLost() throws Exception {
    Path file = temporary.resolve("audit.jsonl");
    Path first = temporary.resolve("audit.jsonl-1");
    Path second = temporary.resolve("audit.jsonl-2");
    try (AuditLog log = new AuditLog(file, 1 << 20, CLOCK)) {
      log.add(ALICE, "10.0.0.9:1", "PUT", "/x", 200, body(""));
      Files.move(file, first);
      log.add(ALICE, "10.0.0.9:2", "PUT", "/x", 200, body(""));
      Files.move(file, second);
      Files.createFile(file);
      log.add(ALICE, "10.0.0.9:3", "PUT", "/x", 200, body(""));
      log.add(ALICE, "10.0.0.9:4", "PUT", "/x", 200, body(""));
      assertEquals("", log.problem());
    }
    assertEquals(List.of("1"), clientPorts(first));
    assertEquals(List.of("2"), clientPorts(second));
    assertEquals(List.of("3", "4"), clientPorts(file));
  }

  private static List<String> clientPorts(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(line -> line.replaceAll(".*10\\.0\\.0\\.9:(\\d+).*", "$1"))
        .collect(Collectors.toList());
  }

  @Test
  void whatCannotBeWrittenIsAProblemUntilItCan() throws Exception {
    Path folder = Files.createDirectory(temporary.resolve("logs"));
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = new AuditLog(file, 1, CLOCK)) {
      log.add(ALICE, "10.0.0.9:1", "PUT", "/x", 200, body(""));
      assertEquals("", log.problem());
      // The next line rotates the files, for the last of which there is no room.
      Files.createFile(folder.resolve("audit.jsonl.8"));
      Files.createDirectories(folder.resolve("audit.jsonl.9/x"));
      log.add(ALICE, "10.0.0.9:2", "PUT", "/x", 200, body(""));
      assertTrue(log.problem().contains(file + " cannot be written"), log.problem());
      Files.delete(folder.resolve("audit.jsonl.9/x"));
      log.add(ALICE, "10.0.0.9:3", "PUT", "/x", 200, body(""));
      assertEquals("", log.problem());
    }
    Path none = temporary.resolve("none/audit.jsonl");
    IOException e = assertThrows(IOException.class, () -> new AuditLog(none));
    assertTrue(e.getMessage().startsWith("the audit log " + none + " cannot be"), e.getMessage());
  }
}
