package org.evenweave.standalone.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {
  @TempDir Path folder;

  private Path file(String json, String permissions) throws IOException {
    Path file = Files.writeString(folder.resolve("profiles.json"), json);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String problem(Path file, String name) {
    ClientException thrown =
        assertThrows(ClientException.class, () -> Profile.read(file, name, null));
    assertEquals(ClientException.WRONG_INPUT, thrown.exitCode());
    return thrown.getMessage();
  }

  @Test
  void withoutAFileTheControllerOfThisMachineIsAskedWithoutLogIn() throws Exception {
    Profile profile = Profile.read(folder.resolve("none.json"), null, null);
    assertEquals(Profile.LOCAL, profile.server);
    assertNull(profile.authorization);
  }

  @Test
  void theFileIsInTheUsersConfiguration() {
    assertEquals(
        Path.of("/home/x/.config/evenweave/profiles.json"),
        Profile.file(Map.of("HOME", "/home/x")));
    assertEquals(
        Path.of("/c/evenweave/profiles.json"),
        Profile.file(Map.of("HOME", "/home/x", "XDG_CONFIG_HOME", "/c")));
  }

  @Test
  void theDefaultProfileCountsUnlessAnotherOrAServerIsNamed() throws Exception {
    Path file =
        file(
            "{\"default\":\"a\",\"profiles\":{\"a\":{\"server\":\"https://a:1\",\"token\":\"n.s\","
                + "\"ca\":\"ca.pem\"},\"b\":{\"user\":\"onos\",\"password\":\"rocks\"}}}",
            "rw-------");
    Profile a = Profile.read(file, null, null);
    assertEquals("https://a:1", a.server);
    assertEquals("Bearer n.s", a.authorization);
    assertEquals(folder.resolve("ca.pem"), a.authorities);
    assertEquals("Basic b25vczpyb2Nrcw==", Profile.read(file, "b", null).authorization);
    assertEquals("http://c", Profile.read(file, "a", "http://c").server);
  }

  @Test
  void anotherServerDoesNotGetTheSecretOfTheDefaultProfile() throws Exception {
    Path file =
        file(
            "{\"default\":\"a\",\"profiles\":{\"a\":{\"server\":\"http://a\",\"token\":\"n.s\"}}}",
            "rw-------");
    Profile other = Profile.read(file, null, "http://c");
    assertEquals("http://c", other.server);
    assertNull(other.authorization);
    assertEquals("Bearer n.s", Profile.read(file, "a", "http://c").authorization);
  }

  @Test
  void aTokenCanBeInAFileOfItsOwn() throws Exception {
    Files.writeString(folder.resolve("t"), "n.s\n");
    Path file = file("{\"default\":\"a\",\"profiles\":{\"a\":{\"tokenFile\":\"t\"}}}", "rw-r--r--");
    Files.setPosixFilePermissions(
        folder.resolve("t"), PosixFilePermissions.fromString("rw-------"));
    assertEquals("Bearer n.s", Profile.read(file, null, null).authorization);
  }

  @Test
  void aSecretThatOthersMayReadIsRefused() throws Exception {
    Path file = file("{\"default\":\"a\",\"profiles\":{\"a\":{\"token\":\"n.s\"}}}", "rw-r-----");
    assertTrue(
        problem(file, null).endsWith("has a secret, and others may access it: chmod 600 " + file));
  }

  @Test
  void aWrongFileIsRefusedWithItsProblem() throws Exception {
    assertTrue(problem(folder.resolve("none.json"), "a").contains("there is no such file"));
    assertTrue(problem(file("{}", "rw-------"), "a").contains("has no profile \"a\""));
    String unknown = "{\"profiles\":{\"a\":{\"tokn\":\"x\"}}}";
    assertTrue(problem(file(unknown, "rw-------"), "a").contains("\"tokn\" must be one of these"));
  }
}
