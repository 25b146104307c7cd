package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryCacheTest {
  private static final byte[] CODE = "code".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  private JarFile jar() throws IOException {
    Path file = folder.resolve("solver.jar");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String name : List.of("linux/liba.so", "linux/libb.so.1", "win/a.dll")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(CODE);
      }
    }
    return new JarFile(file.toFile());
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }

  @Test
  void theFolderThatIsAskedForComesFirstAndTmpLast() {
    Properties properties = new Properties();
    properties.setProperty("user.home", "/home/a");
    properties.setProperty("user.name", "a");
    properties.setProperty("java.io.tmpdir", "/tmp");
    assertEquals(
        List.of(Path.of("/home/a/.cache/evenweave"), Path.of("/tmp/evenweave-a")),
        LibraryCache.folders(Map.of("XDG_CACHE_HOME", "relative"), properties));
    assertEquals(
        List.of(
            Path.of("/asked"),
            Path.of("/var/cache/evenweave"),
            Path.of("/c/evenweave"),
            Path.of("/home/a/.cache/evenweave"),
            Path.of("/run/user/7/evenweave"),
            Path.of("/tmp/evenweave-a")),
        LibraryCache.folders(
            Map.of(
                "EVENWEAVE_CACHE", "/asked",
                "CACHE_DIRECTORY", "/var/cache/evenweave:/var/cache/other",
                "XDG_CACHE_HOME", "/c",
                "XDG_RUNTIME_DIR", "/run/user/7"),
            properties));
  }

  @Test
  void aCopyIsMadeOnceAndKept() throws IOException {
    try (JarFile jar = jar()) {
      Path cache = folder.resolve("made/cache");
      Path place = new LibraryCache(jar, "linux").unpackedIn(cache);
      assertEquals(List.of("liba.so", "libb.so.1"), namesIn(place));
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)));
      FileTime before = Files.getLastModifiedTime(place.resolve("liba.so"));
      assertEquals(place, new LibraryCache(jar, "linux").unpackedIn(cache));
      assertEquals(before, Files.getLastModifiedTime(place.resolve("liba.so")));
      assertEquals(1, namesIn(cache).size());
    }
  }

  @Test
  void aDamagedCopyIsReplacedAndWhatAKilledProcessLeftIsRemoved() throws IOException {
    try (JarFile jar = jar()) {
      Path cache = folder.resolve("cache");
      Path place = new LibraryCache(jar, "linux").unpackedIn(cache);
      Files.write(place.resolve("liba.so"), new byte[0]);
      Path old = Files.createDirectory(cache.resolve("linux-0.part1"));
      Files.write(old.resolve("liba.so"), CODE);
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
      Path underWay = Files.createDirectory(cache.resolve("linux-0.part2"));
      new LibraryCache(jar, "linux").unpackedIn(cache);
      assertArrayEquals(CODE, Files.readAllBytes(place.resolve("liba.so")));
      assertFalse(Files.exists(old));
      assertTrue(Files.exists(underWay));
      assertEquals(2, namesIn(cache).size());
    }
  }

  @Test
  void aFolderThatOthersCanWriteToIsRefused() throws IOException {
    try (JarFile jar = jar()) {
      Path shared = Files.createDirectory(folder.resolve("shared"));
      Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
      LibraryCache cache = new LibraryCache(jar, "linux");
      IOException refused = assertThrows(IOException.class, () -> cache.unpackedIn(shared));
      assertTrue(refused.getMessage().contains("others can write there"), refused.getMessage());
      assertEquals(List.of(), namesIn(shared));
      Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
      assertThrows(IOException.class, () -> cache.unpackedIn(link));
    }
  }
}
