package org.evenweave.app.sdd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.EdgeSecrets;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SddRunTest {
  @TempDir static Path temporary;

  private final SddRun run = new SddRun((started, leads) -> {});

  @AfterEach
  void stop() {
    run.stop();
  }

  private static String document(String more) throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    return "{\"hosts\":[\"h0\"],\"listen\":\"127.0.0.1:0\",\"keys\":\"" + keys + "\"" + more + "}";
  }

  @Test
  void onlyAnotherConfigurationEndsTheController() throws Exception {
    run.run(document(""));
    SddController first = run.controller().orElseThrow();
    run.run(document(""));
    assertSame(first, run.controller().orElseThrow());
    run.run(document(",\"loop\":\"loose\""));
    assertNotSame(first, run.controller().orElseThrow());
    run.stop();
    assertEquals(Optional.empty(), run.controller());
  }

  @Test
  void changedKeysAreReadWithoutANewStart() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    Path secret = keys.resolve(EdgeSecrets.FILE);
    String first = "a".repeat(64) + "\n";
    writePrivate(secret, first);
    try {
      String edges =
          ",\"edge\":{\"hosts\":[\"h0\"],"
              + "\"addresses\":[{\"host\":\"h0\",\"address\":\"192.0.2.1\"}]}";
      run.run(document(edges));
      SddController started = run.controller().orElseThrow();
      assertEquals(1, started.edges().secrets());

      writePrivate(secret, "b".repeat(64) + "\n" + first);
      run.run(document(edges));
      assertSame(started, run.controller().orElseThrow());
      assertEquals(2, started.edges().secrets());

      writePrivate(secret, "no secret\n");
      run.run(document(edges));
      assertSame(started, run.controller().orElseThrow());
      assertEquals(2, started.edges().secrets(), "the previous keys stay");
    } finally {
      Files.delete(secret);
    }
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void betweenTwoControllersItStartsAnew() throws Exception {
    List<String> problems = new ArrayList<>();
    SddRun[] runs = new SddRun[1];
    runs[0] = new SddRun((started, leads) -> problems.add(runs[0].problem()));
    runs[0].run(document(""));
    runs[0].run(document(",\"loop\":\"loose\""));
    runs[0].stop();
    problems.add(runs[0].problem());
    assertEquals(
        List.of(
            "it has not started", "it restarts with another configuration", "it has not started"),
        problems);
  }

  @Test
  void otherTrafficClassesCountInTheRunningController() throws Exception {
    run.run(document(""));
    SddController first = run.controller().orElseThrow();
    for (String name : new String[] {"web", "mail"}) {
      run.run(document(",\"sharing\":{\"classes\":[{\"name\":\"" + name + "\",\"flows\":[{}]}]}"));
      assertSame(first, run.controller().orElseThrow());
      assertEquals(name, first.sharing().config().classes().get(0).name());
    }
    run.run(document(""));
    assertSame(first, run.controller().orElseThrow());
    assertTrue(first.sharing().config().classes().isEmpty());
  }

  @Test
  void otherTriggersCountInTheRunningControllerWithTheClassesThatTheyName() throws Exception {
    run.run(document(""));
    SddController first = run.controller().orElseThrow();
    run.run(
        document(
            ",\"sharing\":{\"classes\":[{\"name\":\"web\",\"flows\":[{}]}]},"
                + "\"triggers\":[{\"name\":\"t\",\"queue\":\"class:web\",\"when\":\"bytes > 1\"}]"));
    assertSame(first, run.controller().orElseThrow());
    assertEquals("t", first.triggers().config().triggers().get(0).name());
    run.run(document(""));
    assertSame(first, run.controller().orElseThrow());
    assertTrue(first.triggers().config().triggers().isEmpty());
  }

  @Test
  void aConfigurationThatCannotRunEndsTheControllerBefore() throws Exception {
    run.run(document(""));
    run.run(document(",\"packetFlows\":7"));
    assertEquals(Optional.empty(), run.controller());
    assertEquals("packetFlows: must be an array of flows, not 7", run.problem());
    run.run(document(""));
    assertTrue(run.controller().isPresent());
    assertEquals("it has just started; try again", run.problem());
  }

  @Test
  void anAddressThatIsNotOfThisMachineIsNamed() {
    run.run(
        "{\"hosts\":[\"h0\"],\"listen\":\"192.0.2.7:6650\",\"keys\":\""
            + temporary.resolve("keys")
            + "\"}");
    assertEquals(Optional.empty(), run.controller());
    assertTrue(
        run.problem().startsWith("192.0.2.7:6650 is not available for listening: "), run.problem());
  }
}
