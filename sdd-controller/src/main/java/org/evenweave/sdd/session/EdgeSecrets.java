package org.evenweave.sdd.session;

import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.evenweave.sdd.protocol.EdgeKeys;
import org.evenweave.sdd.protocol.IpAddress;

/**
 * The secrets of the edges' overlay: one, or two while one replaces the other. Each pair of edges
 * has keys that are derived from them, which edges with the same file derive themselves. Immutable.
 */
public final class EdgeSecrets {
  /** Its file, beside the controller's keys. */
  public static final String FILE = "edges.secret";

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] LABEL = "evenweave edge ".getBytes(StandardCharsets.US_ASCII);
  private static final String FORM = ": must have one or two lines of 64 hexadecimal digits";

  private final List<SecretKeySpec> secrets = new ArrayList<>();

  private EdgeSecrets() {}

  /**
   * Reads the file of a folder: one line of 64 hexadecimal digits for each secret. The first is
   * used to send.
   *
   * @throws IOException if it cannot be used; names the file and nothing of its content
   */
  public static EdgeSecrets read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": is missing, and edge.addresses needs it");
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.stream().anyMatch(each -> !each.name().startsWith("OWNER"))) {
      throw new IOException(
          file + ": can be read or written by others than its owner: use mode 0600");
    }
    EdgeSecrets read = new EdgeSecrets();
    for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", 0)) {
      if (!line.matches("[0-9A-Fa-f]{64}") || read.secrets.size() == 2) {
        throw new IOException(file + FORM);
      }
      read.secrets.add(new SecretKeySpec(ByteBufUtil.decodeHexDump(line), ALGORITHM));
    }
    if (read.secrets.isEmpty()) {
      throw new IOException(file + FORM);
    }
    return read;
  }

  /** One, or two while one replaces the other. */
  int count() {
    return secrets.size();
  }

  /**
   * The keys of an edge for its peers, in messages of at most {@link EdgeKeys#MAX_PEERS}.
   *
   * @param own the edge's address in the outer header
   * @param peers of any edges; its own is left out
   */
  List<EdgeKeys> keys(IpAddress own, Collection<IpAddress> peers) {
    List<EdgeKeys> messages = new ArrayList<>();
    for (IpAddress peer : peers) {
      if (peer.equals(own)) {
        continue;
      }
      if (messages.isEmpty() || messages.get(messages.size() - 1).size() == EdgeKeys.MAX_PEERS) {
        messages.add(new EdgeKeys());
      }
      SecretKeySpec last = secrets.get(secrets.size() - 1);
      messages
          .get(messages.size() - 1)
          .add(
              peer,
              key(secrets.get(0), own, peer),
              key(secrets.get(0), peer, own),
              key(last, peer, own));
    }
    return messages;
  }

  /** The key of packets from one edge to another: the start of an HMAC-SHA-256. */
  static byte[] key(SecretKeySpec secret, IpAddress from, IpAddress to) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      mac.update(LABEL);
      mac.update(from.mapped());
      mac.update(to.mapped());
      return Arrays.copyOf(mac.doFinal(), EdgeKeys.KEY_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
