package org.evenweave.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.Participant;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OvsdbTlsTest {
  @TempDir Path temporary;

  private Path keys;
  private TlsIdentity identity;
  private OvsdbTls tls;

  @BeforeEach
  void make() throws IOException {
    keys = temporary.resolve("keys");
    KeyFolder.make(
        keys, List.of(Participant.switchOf("s1", List.of(1L)), Participant.client("h0")));
    identity = TlsIdentity.read(keys);
    tls = OvsdbTls.of(identity).within(300_000); // a hang guard
  }

  /** A server that shows the certificate of somebody, and trusts an authority's. */
  private FakeOvsdb server(String holder) throws IOException {
    Path own = Files.createDirectory(temporary.resolve(holder));
    Files.copy(keys.resolve("ca.pem"), own.resolve("ca.pem"));
    Files.copy(keys.resolve(holder + ".pem"), own.resolve("controller.pem"));
    Files.copy(keys.resolve(holder + ".key"), own.resolve("controller.key"));
    return new FakeOvsdb(TlsIdentity.read(own));
  }

  @Test
  void aServerWithASwitchsCertificateIsRead() throws Exception {
    try (FakeOvsdb server = server("s1").with(1, 1)) {
      server.controllers.put(1L, List.<String[]>of());
      assertEquals(Map.of(1L, MasterTable.NONE), MasterTable.read(server.address(), tls));
    }
  }

  @Test
  void aServerWithAHostsCertificateIsNot() throws Exception {
    try (FakeOvsdb server = server("h0").with(1, 1)) {
      assertThrows(IOException.class, () -> MasterTable.read(server.address(), tls));
    }
  }

  @Test
  void aServerWhoseCertificateIsRevokedGetsNoFurtherRequest() throws Exception {
    try (FakeOvsdb server = server("s1").with(1, 1);
        BfdDatabase database = new BfdDatabase(server.address(), tls)) {
      String uuid = database.read().get(0).uuid;
      KeyFolder.revoke(keys, List.of("s1"));
      identity.reload();
      IOException e = assertThrows(OvsdbException.class, () -> database.start(List.of(uuid), 300));
      assertTrue(e.getMessage().endsWith(" is revoked"), e.getMessage());
      assertEquals(0, server.changes);
    }
  }

  @Test
  void withoutKeysTheErrorSaysWhatToDo() throws Exception {
    IOException e =
        assertThrows(IOException.class, () -> MasterTable.read("ssl:127.0.0.1:1", OvsdbTls.NONE));
    assertTrue(e.getMessage().startsWith("TLS needs keys, which --keys gives"), e.getMessage());
  }
}
