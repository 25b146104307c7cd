package org.evenweave.standalone.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.CheckedJson;
import org.evenweave.schema.FileProblem;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * The file of tokens, {@code docs/schema/access.json}. It has hashes alone; a token is shown once,
 * when it is made. A token is {@code NAME.SECRET}, so that one hash is computed to check it,
 * however many there are.
 */
public final class AccessFile {
  private static final int SECRET_BYTES = 32;

  /** 2^10 rounds: some 50 ms. The secret has 256 bits, so more would protect nothing. */
  private static final int COST = 10;

  private static final int MAX_BYTES = 4 << 20;

  private AccessFile() {}

  /** Of one token: whose it is, and the hash of its secret. */
  static final class Entry {
    final Account account;
    final byte[] hash;

    Entry(Account account, String hash) {
      this.account = account;
      this.hash = hash.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * Reads a file.
   *
   * @return the tokens by name
   * @throws IOException if it cannot be read, is no such file, or others than its owner may change
   *     it; names the file and the field
   */
  static Map<String, Entry> read(Path file) throws IOException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (JsonNode token : json(file).path("tokens")) {
      String name = token.get("name").textValue();
      Account account =
          new Account(name, Role.named(token.get("role").textValue()).orElseThrow(), "token");
      if (entries.put(name, new Entry(account, token.get("hash").textValue())) != null) {
        throw new IOException(file + ": tokens: \"" + name + "\" occurs twice");
      }
    }
    return Collections.unmodifiableMap(entries);
  }

  private static ObjectNode json(Path file) throws IOException {
    byte[] bytes;
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(file + " may be changed by others than its owner: chmod 600 " + file);
      }
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException(file + " is longer than " + (MAX_BYTES >> 20) + " MiB");
      }
      bytes = Files.readAllBytes(file);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(file + " cannot be read: " + FileProblem.of(e), e);
    }
    try {
      return (ObjectNode)
          CheckedJson.parse("access", "file", new String(bytes, StandardCharsets.UTF_8));
    } catch (FabricException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Makes a token and adds its hash to a file, which is made if it is not there; a name that is
   * there gets the new one instead of the old.
   *
   * @return the token, which is nowhere else
   * @throws IOException if the file cannot be read or written; then it is as it was
   */
  public static String addToken(Path file, String name, Role role) throws IOException {
    ObjectNode root;
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      root = json(file);
    } else {
      root = new ObjectMapper().createObjectNode();
      root.putArray("tokens");
    }
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    ArrayNode tokens = (ArrayNode) root.get("tokens");
    for (int i = tokens.size() - 1; i >= 0; i--) {
      if (tokens.get(i).path("name").asText().equals(name)) {
        tokens.remove(i);
      }
    }
    tokens
        .addObject()
        .put("name", name)
        .put("role", role.text())
        .put("hash", BCrypt.withDefaults().hashToString(COST, secret.toCharArray()));
    write(file, root);
    return name + "." + secret;
  }

  private static void write(Path file, ObjectNode root) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(whole);
      Files.createFile(
          whole,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(whole, root.toPrettyString() + "\n");
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(file + " cannot be written: " + FileProblem.of(e), e);
    }
  }

  /** Whether a secret is that of a hash; takes as long as the hash's cost asks for. */
  static boolean matches(String secret, byte[] hash) {
    return BCrypt.verifyer().verify(secret.getBytes(StandardCharsets.UTF_8), hash).verified;
  }
}
