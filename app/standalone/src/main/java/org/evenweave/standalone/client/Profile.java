package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import org.evenweave.schema.FileProblem;

/**
 * The address of a controller, and the credentials for it. A file of profiles is {@code
 * {"default":"lab","profiles":{"lab":
 * {"server":"https://192.0.2.1:8282","token":"...","ca":"ca.pem"}}}}; instead of a token there may
 * be {@code tokenFile}, or {@code user} and {@code password} for ONOS. Immutable.
 */
public final class Profile {
  /** Where the controller listens unless told otherwise. */
  static final String LOCAL = "http://127.0.0.1:8282";

  private static final Set<String> FIELDS =
      Set.of("server", "token", "tokenFile", "user", "password", "ca");

  final String server;

  /** The value of the header {@code Authorization}; null without log-in. */
  final String authorization;

  /** Certificates of authorities, in PEM; null for those of the Java runtime. */
  final Path authorities;

  private Profile(String server, String authorization, Path authorities) {
    this.server = server;
    this.authorization = authorization;
    this.authorities = authorities;
  }

  /** Of a controller that asks for no log-in. */
  public static Profile open(String server) {
    return new Profile(server, null, null);
  }

  /** {@code $XDG_CONFIG_HOME/evenweave/profiles.json}, or below {@code ~/.config}. */
  public static Path file(Map<String, String> environment) {
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path folder =
        config.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "."), ".config")
            : Path.of(config);
    return folder.resolve("evenweave").resolve("profiles.json");
  }

  /**
   * Reads the profile. A server that is named without one gets nothing of the default profile,
   * whose secrets are for its own server.
   *
   * @param name null for the default one
   * @param server takes the place of the profile's; null for none
   * @throws ClientException if the file or the profile cannot be used
   */
  public static Profile read(Path file, String name, String server) throws ClientException {
    if (server != null && name == null) {
      return open(server);
    }
    JsonNode profile = find(file, name);
    for (Map.Entry<String, JsonNode> field : profile.properties()) {
      if (!FIELDS.contains(field.getKey()) || !field.getValue().isTextual()) {
        throw wrong(file, "\"" + field.getKey() + "\" must be one of these, a string: " + FIELDS);
      }
    }
    if (profile.has("token") || profile.has("password")) {
      requirePrivate(file);
    }
    String authorities = profile.path("ca").asText(null);
    return new Profile(
        server != null ? server : profile.path("server").asText(LOCAL),
        authorization(file, profile),
        authorities == null ? null : file.resolveSibling(authorities));
  }

  private static JsonNode find(Path file, String name) throws ClientException {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(Files.readString(file));
    } catch (NoSuchFileException e) {
      if (name != null) {
        throw wrong(file, "there is no such file, which would have the profile \"" + name + "\"");
      }
      return new ObjectMapper().createObjectNode();
    } catch (IOException e) {
      throw wrong(file, FileProblem.of(e));
    }
    String wanted = name != null ? name : root.path("default").asText(null);
    if (wanted == null) {
      return new ObjectMapper().createObjectNode();
    }
    JsonNode profile = root.path("profiles").path(wanted);
    if (!profile.isObject()) {
      throw wrong(file, "\"profiles\" has no profile \"" + wanted + "\"");
    }
    return profile;
  }

  private static String authorization(Path file, JsonNode profile) throws ClientException {
    if (profile.has("user")) {
      String pair = profile.path("user").asText() + ":" + profile.path("password").asText();
      byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
      return "Basic " + java.util.Base64.getEncoder().encodeToString(bytes);
    }
    if (profile.has("tokenFile")) {
      Path tokenFile = file.resolveSibling(profile.get("tokenFile").asText());
      requirePrivate(tokenFile);
      try {
        return "Bearer " + Files.readString(tokenFile).strip();
      } catch (IOException e) {
        throw wrong(tokenFile, FileProblem.of(e));
      }
    }
    return profile.has("token") ? "Bearer " + profile.get("token").asText().strip() : null;
  }

  /** A secret that others may read is none. */
  private static void requirePrivate(Path file) throws ClientException {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.stream().anyMatch(each -> !each.name().startsWith("OWNER"))) {
        throw wrong(file, "has a secret, and others may access it: chmod 600 " + file);
      }
    } catch (UnsupportedOperationException e) {
      // A file system without such permissions.
    } catch (IOException e) {
      throw wrong(file, FileProblem.of(e));
    }
  }

  private static ClientException wrong(Path file, String problem) {
    return new ClientException(ClientException.WRONG_INPUT, file + ": " + problem);
  }
}
