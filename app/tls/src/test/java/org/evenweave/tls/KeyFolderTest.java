package org.evenweave.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFolderTest {
  @TempDir Path temporary;

  private Path made() throws IOException {
    Path folder = temporary.resolve("keys");
    KeyFolder.make(
        folder,
        List.of(
            Participant.controller("controller", List.of("10.0.0.1", "fabric.example", "fd00::1")),
            Participant.switchOf("s1", List.of(0xa1L, -2L)),
            Participant.operator("alice", "operate"),
            Participant.client("h0")));
    return folder;
  }

  private static X509Certificate certificate(Path folder, String name) throws IOException {
    return Certificates.read(folder.resolve(name + ".pem")).get(0);
  }

  private static List<String> list(Path folder) throws IOException {
    return KeyFolder.list(folder).stream()
        .map(each -> each.holder.name() + " " + each.holder.kind() + " " + each.holder.detail())
        .collect(Collectors.toList());
  }

  @Test
  void aCertificateSaysWhoItsHolderIsAndIsSignedByTheAuthorityOfItsKind() throws Exception {
    Path folder = made();
    assertEquals(
        List.of(
            "alice OPERATOR operate",
            "controller CONTROLLER fabric.example,10.0.0.1,fd00:0:0:0:0:0:0:1",
            "h0 CLIENT ",
            "s1 SWITCH of:00000000000000a1,of:fffffffffffffffe"),
        list(folder).stream().map(KeyFolderTest::inOrder).collect(Collectors.toList()));
    X509Certificate s1 = certificate(folder, "s1");
    assertEquals(Set.of(0xa1L, -2L), Certificates.datapathIds(s1));
    assertEquals(Set.of(), Certificates.datapathIds(certificate(folder, "h0")));
    s1.verify(certificate(folder, "clients-ca").getPublicKey());
    certificate(folder, "controller").verify(certificate(folder, "controllers-ca").getPublicKey());
    assertEquals(2, Certificates.read(folder.resolve("ca.pem")).size());
    assertFalse(certificate(folder, "h0").getExtendedKeyUsage().contains("1.3.6.1.5.5.7.3.1"));
  }

  /** Java does not keep the order of names across kinds. */
  private static String inOrder(String line) {
    return line.replace(
        "10.0.0.1,fabric.example,fd00:0:0:0:0:0:0:1", "fabric.example,10.0.0.1,fd00:0:0:0:0:0:0:1");
  }

  @Test
  void allFilesAreForTheirOwnerOnly() throws Exception {
    Path folder = made();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.collect(Collectors.toList())) {
        assertEquals(
            "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
            file.toString());
      }
    }
  }

  @Test
  void aFolderTakesMoreAndReplacesNothing() throws Exception {
    Path folder = made();
    byte[] before = Files.readAllBytes(folder.resolve("h0.pem"));
    KeyFolder.makeClients(folder, List.of("h1"));
    certificate(folder, "h1").verify(certificate(folder, "clients-ca").getPublicKey());
    IOException refused =
        assertThrows(IOException.class, () -> KeyFolder.makeClients(folder, List.of("h2", "h0")));
    assertTrue(refused.getMessage().contains("make replaces no keys"), refused.getMessage());
    assertFalse(Files.exists(folder.resolve("h2.pem")));
    assertEquals(before.length, Files.readAllBytes(folder.resolve("h0.pem")).length);
    assertThrows(IOException.class, () -> KeyFolder.makeClients(folder, List.of("clients-ca")));
    assertThrows(
        IOException.class, () -> KeyFolder.makeClients(temporary, List.of("h0")), "not ours");
  }

  @Test
  void renewalKeepsWhoSomebodyIsAndChangesTheKey() throws Exception {
    Path folder = made();
    List<String> before = list(folder);
    X509Certificate old = certificate(folder, "s1");
    X509Certificate other = certificate(folder, "h0");
    assertEquals(
        List.of("s1"),
        KeyFolder.renew(folder, List.of("s1")).stream()
            .map(Participant::name)
            .collect(Collectors.toList()));
    assertEquals(before, list(folder));
    assertNotEquals(old.getPublicKey(), certificate(folder, "s1").getPublicKey());
    assertEquals(other, certificate(folder, "h0"));
    assertEquals(4, KeyFolder.renew(folder, List.of()).size());
    assertEquals(before, list(folder));
    assertThrows(IOException.class, () -> KeyFolder.renew(folder, List.of("nobody")));
  }

  @Test
  void filesThatAreReadAgainReplaceThoseBeforeOnlyIfTheyAreGood() throws Exception {
    Path folder = made();
    TlsIdentity identity = TlsIdentity.read(folder);
    X509Certificate first = identity.certificates().get(0);
    KeyFolder.renew(folder, List.of("controller"));
    identity.reload();
    X509Certificate second = identity.certificates().get(0);
    assertNotEquals(first, second);
    Files.copy(
        folder.resolve("h0.key"),
        folder.resolve("controller.key"),
        StandardCopyOption.REPLACE_EXISTING);
    IOException refused = assertThrows(IOException.class, identity::reload);
    assertEquals(
        folder.resolve("controller.key")
            + " is not the private key of "
            + folder.resolve("controller.pem"),
        refused.getMessage());
    assertEquals(second, identity.certificates().get(0));
  }

  @Test
  void aCertificateIsWarnedOfThirtyDaysBeforeItExpires() throws Exception {
    X509Certificate certificate = certificate(made(), "s1");
    Instant end = certificate.getNotAfter().toInstant();
    assertTrue(Expiry.warning("s1", certificate, end.minus(Duration.ofDays(31))).isEmpty());
    assertEquals(
        "the certificate of s1 expires on "
            + end
            + ": renew it (evenweave keys renew), and install the new files",
        Expiry.warning("s1", certificate, end.minus(Duration.ofDays(29))).orElseThrow());
    assertTrue(
        Expiry.warning("s1", certificate, end.plusSeconds(1))
            .orElseThrow()
            .startsWith("the certificate of s1 expired on "));
  }

  @Test
  void revokedCertificatesAreThoseBeforeRenewalsToo() throws Exception {
    Path folder = made();
    TlsIdentity identity = TlsIdentity.read(folder);
    X509Certificate first = certificate(folder, "s1");
    KeyFolder.renew(folder, List.of("s1"));
    X509Certificate second = certificate(folder, "s1");
    KeyFolder.revoke(folder, List.of("s1"));
    assertFalse(identity.isRevoked(second));
    identity.reload();
    assertTrue(identity.isRevoked(first));
    assertTrue(identity.isRevoked(second));
    assertFalse(identity.isRevoked(certificate(folder, "h0")));
    // Others and new keys come to the list, and none goes.
    KeyFolder.renew(folder, List.of("s1"));
    KeyFolder.revoke(folder, List.of("controller", "alice"));
    KeyFolder.revoke(folder, List.of("alice"));
    identity.reload();
    assertTrue(identity.isRevoked(first));
    assertFalse(identity.isRevoked(certificate(folder, "s1")));
    assertTrue(identity.isRevoked(certificate(folder, "controller")));
    assertTrue(identity.isRevoked(certificate(folder, "alice")));
  }

  @Test
  void aListThatNoAuthorityHasSignedChangesNothing() throws Exception {
    Path folder = made();
    TlsIdentity identity = TlsIdentity.read(folder);
    Path others = temporary.resolve("others");
    KeyFolder.makeClients(others, List.of("h0"));
    KeyFolder.revoke(others, List.of("h0"));
    Files.copy(others.resolve("crl.pem"), folder.resolve("crl.pem"));
    IOException refused = assertThrows(IOException.class, identity::reload);
    assertTrue(refused.getMessage().contains("which no authority has signed"));
    Files.writeString(folder.resolve("crl.pem"), "nonsense");
    assertThrows(IOException.class, identity::reload);
    Files.delete(folder.resolve("crl.pem"));
    identity.reload();
    assertThrows(IOException.class, () -> KeyFolder.revoke(folder, List.of("nobody")));
    assertFalse(Files.exists(folder.resolve("crl.pem")));
  }
}
