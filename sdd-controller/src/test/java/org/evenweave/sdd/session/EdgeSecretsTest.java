package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.evenweave.sdd.protocol.EdgeKeys;
import org.evenweave.sdd.protocol.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The secrets of the overlay, and what each edge gets of them. */
class EdgeSecretsTest {
  private static final String ONE =
      "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";
  private static final String OTHER =
      "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

  @TempDir Path folder;

  private void write(String text, String permissions) throws IOException {
    Path file = folder.resolve(EdgeSecrets.FILE);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  /** test_keys.c has the same. */
  @Test
  void keysAreThoseThatEdgesDeriveThemselves() {
    SecretKeySpec secret = new SecretKeySpec(ByteBufUtil.decodeHexDump(ONE), "HmacSHA256");
    byte[] key = EdgeSecrets.key(secret, IpAddress.of("192.0.2.1"), IpAddress.of("192.0.2.2"));
    assertEquals("dfb03f641cf4ca9faef22bfe6ccffaac", ByteBufUtil.hexDump(key));
  }

  @Test
  void anEdgeGetsKeysForAllOthersInMessagesThatFit() throws IOException {
    write(ONE + "\n" + OTHER + "\n", "rw-------");
    List<IpAddress> edges = new ArrayList<>();
    for (int i = 0; i < 1_024; i++) {
      edges.add(IpAddress.ofIpv4(0x0a000001 + i));
    }
    List<EdgeKeys> messages = EdgeSecrets.read(folder).keys(edges.get(3), edges);
    assertEquals(2, messages.size());
    assertEquals(512, messages.get(0).size());
    assertEquals(511, messages.get(1).size());
    assertTrue(EdgeSecrets.read(folder).keys(edges.get(3), edges.subList(3, 4)).isEmpty());
  }

  @Test
  void errorsNameTheFileAndNothingOfItsContent() throws IOException {
    String missing = assertThrows(IOException.class, () -> EdgeSecrets.read(folder)).getMessage();
    assertTrue(missing.contains("edges.secret: is missing"), missing);
    for (String bad : List.of("", "\n", ONE + "0", ONE + "\n" + OTHER + "\n" + ONE, "x" + ONE)) {
      write(bad, "rw-------");
      String error = assertThrows(IOException.class, () -> EdgeSecrets.read(folder)).getMessage();
      assertTrue(error.contains("edges.secret: must have one or two lines"), error);
      assertFalse(error.contains("001122"), error);
    }
    write(ONE, "rw-r-----");
    String open = assertThrows(IOException.class, () -> EdgeSecrets.read(folder)).getMessage();
    assertTrue(open.contains("use mode 0600"), open);
  }
}
