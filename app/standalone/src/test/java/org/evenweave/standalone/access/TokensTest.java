package org.evenweave.standalone.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  @TempDir Path temporary;

  private final AtomicLong nanoTime = new AtomicLong();
  private final AtomicInteger hashes = new AtomicInteger();
  private final Semaphore mayHash = new Semaphore(1000);
  private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
  private Path file;
  private String token;
  private Tokens tokens;

  @BeforeEach
  void make() throws IOException {
    file = temporary.resolve("access.json");
    token = AccessFile.addToken(file, "grafana", Role.READ);
    tokens =
        new Tokens(
            file,
            nanoTime::get,
            (secret, hash) -> {
              hashes.incrementAndGet();
              mayHash.acquireUninterruptibly();
              return AccessFile.matches(secret, hash);
            });
  }

  @AfterEach
  void close() {
    tokens.close();
  }

  private void check(String text, String client) throws IOException {
    tokens.check(
        text,
        InetAddress.getByName(client),
        (outcome, account) ->
            outcomes.add(outcome + (account == null ? "" : " " + account.getName())));
  }

  private String outcome(String text, String client) throws Exception {
    check(text, client);
    return outcomes.take();
  }

  @Test
  void aTokenIsHashedOnceHoweverOftenItIsUsed() throws Exception {
    for (int i = 0; i < 1000; i++) {
      assertEquals("RIGHT grafana", outcome(token, "10.0.0.1"));
    }
    assertEquals(1, hashes.get());
  }

  @Test
  void aWrongTokenIsWrongAndOneOfNobodyCostsNoHash() throws Exception {
    assertEquals("WRONG", outcome("grafana.wrong", "10.0.0.1"));
    assertEquals("WRONG", outcome("nobody." + token.substring(8), "10.0.0.1"));
    assertEquals("WRONG", outcome("", "10.0.0.1"));
    assertEquals("WRONG", outcome(token + "x", "10.0.0.1"));
    assertEquals(2, hashes.get());
  }

  @Test
  void aClientThatGuessesIsSlowedAndHindersNoOther() throws Exception {
    for (int i = 0; i < Tokens.CLIENT_BURST; i++) {
      assertEquals("WRONG", outcome("grafana." + i, "10.0.0.1"));
    }
    assertEquals("TOO_MANY", outcome("grafana.more", "10.0.0.1"));
    assertEquals("RIGHT grafana", outcome(token, "10.0.0.2"));
    assertEquals("RIGHT grafana", outcome(token, "10.0.0.1"));
    nanoTime.addAndGet(SECOND_NANOS);
    assertEquals("WRONG", outcome("grafana.more", "10.0.0.1"));
    assertEquals("TOO_MANY", outcome("grafana.more", "10.0.0.1"));
  }

  @Test
  void allClientsTogetherGetSoManyHashesASecond() throws Exception {
    for (int i = 0; i < Tokens.HASHES_PER_SECOND; i++) {
      assertEquals("WRONG", outcome("grafana.x", "10.0.1." + i));
    }
    assertEquals("TOO_MANY", outcome("grafana.x", "10.0.2.1"));
    assertEquals(Tokens.HASHES_PER_SECOND, hashes.get());
  }

  @Test
  void allAddressesOfAnIpv6SubnetAreOneClient() throws Exception {
    for (int i = 0; i < Tokens.CLIENT_BURST; i++) {
      assertEquals("WRONG", outcome("grafana.x", "fd00::" + i));
    }
    assertEquals("TOO_MANY", outcome("grafana.x", "fd00::ffff:1"));
  }

  @Test
  void requestsWithTheSameTokenShareACheck() throws Exception {
    mayHash.drainPermits();
    check(token, "10.0.0.1");
    check(token, "10.0.0.1");
    assertTrue(outcomes.isEmpty());
    assertEquals("TOO_MANY", outcome("grafana.other", "10.0.0.1"));
    mayHash.release();
    assertEquals("RIGHT grafana", outcomes.take());
    assertEquals("RIGHT grafana", outcomes.take());
    assertEquals(1, hashes.get());
  }

  @Test
  void aTokenThatWasReplacedOrRemovedIsWrongOnceTheFileIsReadAgain() throws Exception {
    assertEquals("RIGHT grafana", outcome(token, "10.0.0.1"));
    String other = AccessFile.addToken(file, "grafana", Role.OPERATE);
    assertEquals("RIGHT grafana", outcome(token, "10.0.0.1"));
    tokens.reload();
    assertEquals("WRONG", outcome(token, "10.0.0.1"));
    assertEquals("RIGHT grafana", outcome(other, "10.0.0.1"));
  }

  @Test
  void theFileHasHashesAloneAndIsForItsOwnerOnly() throws Exception {
    String text = Files.readString(file);
    assertTrue(text.contains("\"$2a$10$"), text);
    assertTrue(!text.contains(token.substring(token.indexOf('.') + 1)), text);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void aFileThatIsWrongIsNamedWithItsFieldAndChangesNothing() throws Exception {
    String good = Files.readString(file);
    String[][] cases = {
      {"\"read\"", "\"root\"", "tokens[0].role: must be \"read\", \"operate\" or \"configure\""},
      {"$2a$10$", "$2a$31$", "tokens[0].hash: must be a bcrypt hash of cost 04 to 12"},
      {"grafana", "a b", "tokens[0].name: must be 1 to 63 letters"},
      {"\"tokens\"", "\"users\"", "users: unknown field"},
    };
    for (String[] each : cases) {
      Files.writeString(file, good.replace(each[0], each[1]));
      IOException wrong = assertThrows(IOException.class, tokens::reload);
      assertTrue(wrong.getMessage().startsWith(file + ": " + each[2]), wrong.getMessage());
    }
    Files.writeString(file, good);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    IOException open = assertThrows(IOException.class, tokens::reload);
    assertTrue(open.getMessage().contains("may be changed by others"), open.getMessage());
    assertEquals("RIGHT grafana", outcome(token, "10.0.0.1"));
  }
}
