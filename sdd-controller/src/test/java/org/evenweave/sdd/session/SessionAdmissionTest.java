package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;

/** Who gets in: TLS, names, versions, and what ends a session again. */
class SessionAdmissionTest extends SessionFixture {
  // ---- Who gets in

  @Test
  void aHostIsWelcomedUnderItsNumber() throws Exception {
    try (FakeHost host = bed.host(1)) {
      assertEquals(1, host.number());
      SessionBed.await("session", () -> bed.events.contains("up h1"));
      assertEquals("h1", session(1).name());
      assertEquals(10_000_000_000L, session(1).linkBps());
      assertEquals(Set.of("SDD client h1"), bed.server.certificates().keySet());
      assertEquals("10.0.0.2/32", session(1).addresses().get(0).toString());
      SessionBed.await(
          "clock", () -> session(1).clock() != null && session(1).clock().isGood(1000));
    }
    SessionBed.await("end", () -> bed.events.contains("down h1"));
    assertNull(session(1));
  }

  @Test
  void aClientWithoutACertificateGetsNothing() {
    assertCutOff(bed.keys, null, "TLSv1.3");
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    Path others = SessionBed.keys(temporary.resolve("others"));
    // The client trusts the server, so that only the server can be the one who refuses.
    Path mixed = Files.createTempDirectory(temporary, "mixed");
    Files.copy(bed.keys.resolve("ca.pem"), mixed.resolve("ca.pem"));
    Files.copy(others.resolve("h0.pem"), mixed.resolve("h0.pem"));
    Files.copy(others.resolve("h0.key"), mixed.resolve("h0.key"));
    assertCutOff(mixed, "h0", "TLSv1.3");
  }

  @Test
  void aServersCertificateIsNoClients() throws Exception {
    try (FakeClient client =
        new FakeClient(bed.server.address(), bed.keys, TlsIdentity.CONTROLLER, "TLSv1.3")) {
      client.send(ClientFrames.hostHello("h0", 1, 1000, 9, 1));
      // What one controller says to another may come first.
      client.awaitEnd();
    }
    assertEquals(List.of(), bed.events);
  }

  @Test
  void aRevokedCertificateEndsItsSessionAloneAndIsRefused() throws Exception {
    try (FakeHost revoked = bed.host(1);
        FakeHost other = bed.host(0)) {
      assertEquals(List.of(1, 0), List.of(revoked.number(), other.number()));
      SessionBed.await("sessions", () -> bed.events.size() == 2);
      KeyFolder.revoke(bed.keys, List.of("h1"));
      bed.tls.reload();
      SessionBed.await("end", () -> bed.events.contains("down h1"));
      assertCutOff(bed.keys, "h1", "TLSv1.3", 3);
      assertFalse(bed.events.contains("down h0"));
    } finally {
      // Others' tests need its keys.
      KeyFolder.renew(bed.keys, List.of("h1"));
    }
  }

  /** Each of five hosts opens fewer than a host may at once. */
  @Test
  void manyStrangersCloseTheirOwnConnections() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i <= SessionServer.MAX_UNPROVEN; i++) {
      Socket stranger = new Socket();
      stranger.bind(new InetSocketAddress("127.0.0." + (2 + i % 5), 0));
      stranger.connect(bed.server.address());
      strangers.add(stranger);
    }
    strangers.get(0).getInputStream().readAllBytes(); // until its end
    try (FakeHost host = bed.host(1)) {
      assertEquals(1, host.number());
    }
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  /** So many that a host takes 12 s to be admitted with all, and too few to close another. */
  @Test
  void aHostThatOpensConnectionsWithoutEndIsRefused() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      Socket stranger = new Socket();
      stranger.bind(new InetSocketAddress("127.0.0.9", 0));
      stranger.connect(bed.server.address());
      strangers.add(stranger);
    }
    int closed = 0;
    for (Socket stranger : strangers) {
      closed += isClosed(stranger) ? 1 : 0;
      stranger.close();
    }
    assertTrue(closed > 0);
  }

  /** Whether the other end has closed or reset a connection on which it sends nothing. */
  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void tls12IsRefused() {
    assertCutOff(bed.keys, "h0", "TLSv1.2");
  }

  /** In TLS 1.3 the client learns that it was refused when it reads. */
  private void assertCutOff(Path keys, String certificate, String protocol) {
    assertCutOff(keys, certificate, protocol, 0);
  }

  /**
   * @param events how many there are before and after
   */
  private void assertCutOff(Path keys, String certificate, String protocol, int events) {
    assertThrows(
        IOException.class,
        () -> {
          try (FakeClient client =
              new FakeClient(bed.server.address(), keys, certificate, protocol)) {
            client.send(ClientFrames.hostHello("h0", 1, 1000, 9, 1));
            if (client.receive() == null) {
              throw new IOException("ended");
            }
          }
        });
    assertEquals(events, bed.events.size(), bed.events.toString());
  }

  @Test
  void theControllerProvesItselfToo() throws Exception {
    Path others = SessionBed.keys(temporary.resolve("others"));
    assertThrows(
        javax.net.ssl.SSLHandshakeException.class,
        () -> new FakeClient(bed.server.address(), others, "h0", "TLSv1.3"));
  }

  @Test
  void aHostCannotUseAnothersName() throws Exception {
    assertEquals(
        "the certificate is \"h0\"'s, the hello \"h1\"'s",
        refusal("h0", ClientFrames.hostHello("h1", 1, 1000, 9, 1)));
  }

  @Test
  void whoIsNotConfiguredIsRefused() throws Exception {
    assertEquals(
        "there is no host \"stranger\" in the configuration",
        refusal("stranger", ClientFrames.hostHello("stranger", 1, 1000, 9, 1)));
    assertEquals(
        "there is no circuit switch \"h0\" in the configuration",
        refusal("h0", ClientFrames.switchHello("h0", "h0", "h1", "h2")));
    assertEquals(
        "host \"h2\" has no port", refusal("cs", ClientFrames.switchHello("cs", "h0", "h1")));
  }

  @Test
  void aHostWithAnAddressThatNoHostCanHaveIsRefused() throws Exception {
    for (String address :
        List.of(
            "255.255.255.255/32",
            "0.0.0.0/0",
            "0.0.0.0/32",
            "127.0.0.1/32",
            "224.0.0.0/4",
            "::/0",
            "::/128",
            "::1/128",
            "ff02::1/128")) {
      assertEquals(
          address + " is not a host address",
          refusal("h0", ClientFrames.hostHello("h0", IpPrefix.of(address))));
    }
    assertEquals(List.of(), bed.events);
  }

  @Test
  void anotherVersionOfTheProtocolIsRefused() throws Exception {
    assertEquals(
        "this controller speaks version 1 of the protocol, not 2",
        refusal("h0", ClientFrames.hostHello("h0", 2, 1000, 9, 1)));
  }

  private String refusal(String certificate, org.evenweave.sdd.protocol.Frame hello)
      throws Exception {
    try (FakeClient client = bed.greeting(certificate, hello)) {
      FakeClient.Message answer = client.receive();
      assertEquals(RefusedDecoder.TEMPLATE_ID, answer.template);
      String text =
          new RefusedDecoder()
              .wrap(
                  answer.buffer,
                  answer.at.bodyOffset(),
                  answer.at.blockLength(),
                  answer.at.version())
              .text();
      assertNull(client.receive());
      return text;
    }
  }

  @Test
  void aNewSessionOfAHostEndsTheOld() throws Exception {
    try (FakeHost first = bed.host(0)) {
      SessionBed.await("first", () -> session(0) != null);
      HostSession old = session(0);
      try (FakeHost second = bed.host(0)) {
        assertTrue(first.awaitEnd());
        SessionBed.await("second", () -> session(0) != null && session(0) != old && !old.isUp());
        get(session(0).clearDequeueConditions(1));
        assertEquals(List.of("template 74"), second.requests);
        assertEquals(List.of(), first.requests);
      }
    }
  }

  // ---- Messages that clients must not send

  @Test
  void aHostThatSaysNonsenseIsCutOffAndOthersGoOn() throws Exception {
    try (FakeHost good = bed.host(0);
        FakeHost bad = bed.host(1)) {
      SessionBed.await("sessions", () -> bed.server.sessions().connected() == 2);
      bad.client().sendRaw(12, new byte[12]);
      assertTrue(bad.awaitEnd());
      SessionBed.await("end", () -> session(1) == null);
      assertEquals(5, get(session(0).removeTrigger(5)).value());
      assertNull(good.refusal());
    }
  }

  @Test
  void impossibleLengthsAreCutOffBeforeAnythingIsStored() throws Exception {
    for (int length : new int[] {-1, Integer.MAX_VALUE, 262_145, 0, 7}) {
      try (FakeHost bad = bed.host(2)) {
        bad.client().sendRaw(length, new byte[8]);
        assertTrue(bad.awaitEnd(), "length " + length);
      }
    }
  }

  @Test
  void beforeHelloNothingElseIsHeard() throws Exception {
    try (FakeClient client = new FakeClient(bed.server.address(), bed.keys, "h0", "TLSv1.3")) {
      client.send(ClientFrames.clockStatus(1, 2, 3, true));
      assertNull(client.receive());
    }
    try (FakeHost host = bed.host(0)) {
      host.send(ClientFrames.hostHello("h0", 1, 1000, 9, 1));
      assertTrue(host.awaitEnd());
    }
    try (FakeHost host = bed.host(0)) {
      host.send(ClientFrames.circuitStats(1, 2, 3));
      assertTrue(host.awaitEnd());
    }
  }

  @Test
  void randomBytesOnTheWireEndTheSessionOnly() throws Exception {
    long seed = 20_261_121;
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      try (FakeHost bad = bed.host(1)) {
        byte[] noise = new byte[8 + random.nextInt(500)];
        random.nextBytes(noise);
        bad.client().sendRaw(noise.length, noise);
        assertTrue(bad.awaitEnd(), "seed " + seed + " round " + round);
      }
    }
    try (FakeHost good = bed.host(0)) {
      assertEquals(0, good.number());
    }
  }

  // ---- Keys

  @Test
  void keysAreForTheirOwnerOnlyAndNeverReplaced() throws Exception {
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(bed.keys)));
    IOException refused =
        assertThrows(IOException.class, () -> KeyFolder.makeClients(bed.keys, List.of("h0")));
    assertTrue(refused.getMessage().endsWith("make replaces no keys; use evenweave keys renew"));
    assertThrows(
        IOException.class, () -> KeyFolder.makeClients(temporary.resolve("x"), List.of("../h0")));
    assertFalse(Files.exists(temporary.resolve("x")));
  }
}
