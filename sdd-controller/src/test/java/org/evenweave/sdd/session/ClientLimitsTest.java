package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one client may take of the log and of the threads, and what a controller may start with. */
class ClientLimitsTest {
  @TempDir Path temporary;

  private long nowNs;

  @Test
  void aClientsLinesAreSoManyAMinuteOfSoManyCharacters() {
    List<String> lines = new ArrayList<>();
    ClientLog log = new ClientLog(() -> nowNs, lines::add, lines::add);
    for (int i = 0; i < 1_000; i++) {
      log.warn("h{} says {}", 0, "a\nb".repeat(1_000));
    }
    assertEquals(ClientLog.LINES, lines.size());
    assertTrue(lines.get(0).startsWith("h0 says a?ba?b"));
    assertEquals(ClientLog.MAX_CHARACTERS, lines.get(0).length());
    nowNs += ClientLog.WINDOW_NS;
    log.info("again");
    assertEquals("again (980 lines before it left out)", lines.get(ClientLog.LINES));
  }

  @Test
  void whoSendsMoreThanItsShareIsNotReadFor() {
    MessageBudget budget = new MessageBudget(10_000_000, 0);
    for (int message = 0; message < 2_000; message++) {
      assertEquals(0, budget.take(100, 0));
    }
    long restNs = budget.take(100, 0);
    assertEquals(500_000, restNs);
    assertEquals(0, budget.take(100, 2 * restNs));
    // The longest messages: bytes count, too.
    long waitsNs = 0;
    long atNs = 10_000_000_000L;
    for (int message = 0; message < 1_280; message++) {
      long ns = budget.take(262_144, atNs);
      waitsNs += ns;
      atNs += ns;
    }
    assertTrue(waitsNs > 8_900_000_000L && waitsNs < 9_100_000_000L, "" + waitsNs);
    // Short periods have more messages.
    budget = new MessageBudget(100_000, 0);
    for (int message = 0; message < 80_000; message++) {
      assertEquals(0, budget.take(100, 0));
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsRefusedAtTheStart() throws Exception {
    Path keys = SessionBed.keys(temporary.resolve("keys"));
    TlsIdentity.read(keys);
    Files.copy(
        keys.resolve("h0.key"),
        keys.resolve("controller.key"),
        StandardCopyOption.REPLACE_EXISTING);
    IOException refused = assertThrows(IOException.class, () -> TlsIdentity.read(keys));
    assertEquals(
        keys.resolve("controller.key")
            + " is not the private key of "
            + keys.resolve("controller.pem"),
        refused.getMessage());
  }
}
