package org.evenweave.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Copies of native libraries out of a jar file, kept from run to run. A copy is made beside its
 * place and moved there as a whole, so that any number of processes may share it, and a killed one
 * leaves nothing that another takes for complete.
 */
final class LibraryCache {
  /** The environment variable that names a folder to be used before all others. */
  static final String VARIABLE = "EVENWEAVE_CACHE";

  private static final String NAME = "evenweave";
  private static final String UNFINISHED = ".part";

  /** No copy takes that long; what is older was left by a process that was killed. */
  private static final Duration LONGEST_COPY = Duration.ofMinutes(10);

  private static final int WRITABLE_BY_OTHERS = 0022;

  private final JarFile jar;
  private final String resources;
  private final List<JarEntry> libraries;

  /**
   * @param resources the folder in the jar file
   */
  LibraryCache(JarFile jar, String resources) {
    this.jar = jar;
    this.resources = resources;
    libraries =
        Collections.list(jar.entries()).stream()
            .filter(entry -> entry.getName().startsWith(resources + "/") && !entry.isDirectory())
            .collect(Collectors.toList());
  }

  /**
   * The folders that may serve, best first: the one that is asked for, that of the service manager
   * (systemd's CacheDirectory), that of the user (XDG Base Directory Specification), and /tmp.
   */
  static List<Path> folders(Map<String, String> environment, Properties properties) {
    List<Path> folders = new ArrayList<>();
    add(folders, environment.get(VARIABLE), "");
    String ofService = environment.get("CACHE_DIRECTORY");
    add(folders, ofService == null ? null : ofService.split(":", -1)[0], "");
    add(folders, environment.get("XDG_CACHE_HOME"), NAME);
    add(folders, properties.getProperty("user.home"), ".cache/" + NAME);
    add(folders, environment.get("XDG_RUNTIME_DIR"), NAME);
    String user = properties.getProperty("user.name", "");
    add(folders, properties.getProperty("java.io.tmpdir"), NAME + "-" + user.replace('/', '_'));
    return folders;
  }

  private static void add(List<Path> folders, String parent, String name) {
    if (parent != null && parent.startsWith("/")) {
      folders.add(Path.of(parent).resolve(name));
    }
  }

  /**
   * The folder with all libraries, below another, which is made if it is not there.
   *
   * @throws IOException if they cannot be written there, or others could change them
   */
  Path unpackedIn(Path folder) throws IOException {
    makePrivate(folder);
    removeUnfinished(folder);
    Path place = folder.resolve(resources + "-" + Long.toHexString(checksum()));
    if (!isComplete(place)) {
      Path copy = Files.createTempDirectory(folder, place.getFileName() + UNFINISHED);
      try {
        for (JarEntry library : libraries) {
          try (InputStream in = jar.getInputStream(library)) {
            Files.copy(in, copy.resolve(nameOf(library)));
          }
        }
        put(copy, place);
      } finally {
        remove(copy);
      }
    }
    return place;
  }

  private static void makePrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      if (folder.getParent() != null) {
        Files.createDirectories(folder.getParent());
      }
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(self) || (mode & WRITABLE_BY_OTHERS) != 0 || Files.isSymbolicLink(folder)) {
      throw new FileSystemException(folder.toString(), null, "others can write there");
    }
  }

  private static void put(Path copy, Path place) throws IOException {
    try {
      Files.move(copy, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw e;
    } catch (FileSystemException e) {
      // Another process was faster, or what is there is damaged.
      remove(place);
      Files.move(copy, place, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void removeUnfinished(Path folder) throws IOException {
    Instant before = Instant.now().minus(LONGEST_COPY);
    try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, "*" + UNFINISHED + "*")) {
      for (Path copy : copies) {
        if (Files.getLastModifiedTime(copy).toInstant().isBefore(before)) {
          remove(copy);
        }
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private boolean isComplete(Path place) throws IOException {
    for (JarEntry library : libraries) {
      Path file = place.resolve(nameOf(library));
      if (!Files.isRegularFile(file) || Files.size(file) != library.getSize()) {
        return false;
      }
    }
    return true;
  }

  private String nameOf(JarEntry library) {
    return library.getName().substring(resources.length() + 1);
  }

  /** Tells libraries of different releases apart. */
  private long checksum() {
    CRC32 sum = new CRC32();
    for (JarEntry library : libraries) {
      sum.update(library.getName().getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < Long.BYTES; i++) {
        sum.update((int) (library.getCrc() >>> (8 * i)));
      }
    }
    return sum.getValue();
  }
}
