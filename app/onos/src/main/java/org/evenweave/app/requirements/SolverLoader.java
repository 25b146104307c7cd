package org.evenweave.app.requirements;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.osgi.framework.Bundle;

/**
 * Loads classes from the jar files in a bundle, and the native libraries that are in these jar
 * files. The solver would unpack its libraries by itself, but takes a module of the Java runtime
 * for it that not every one has.
 */
final class SolverLoader extends URLClassLoader {
  private final Path folder;

  private SolverLoader(List<URL> jars, Path folder, ClassLoader parent) {
    super(jars.toArray(URL[]::new), parent);
    this.folder = folder;
  }

  /**
   * @param from has the jar files in a folder of that name
   * @param folder an empty one that gets copies of the jar files, and their libraries
   */
  static SolverLoader of(Bundle from, String name, Path folder, ClassLoader parent)
      throws IOException {
    List<URL> jars = new ArrayList<>();
    for (URL jar : Collections.list(from.findEntries(name, "*.jar", false))) {
      Path copy = folder.resolve(Path.of(jar.getPath()).getFileName());
      try (InputStream in = jar.openStream()) {
        Files.copy(in, copy);
      }
      unpackLibraries(copy, folder);
      jars.add(url(copy));
    }
    return new SolverLoader(jars, folder, parent);
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  /** All into one folder, where they look for each other. */
  private static void unpackLibraries(Path jar, Path folder) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        Path name = Path.of(entry.getName()).getFileName();
        if (entry.getName().startsWith("ortools-") && name.toString().contains(".so")) {
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, folder.resolve(name));
          }
        }
      }
    }
  }

  @Override
  protected String findLibrary(String name) {
    Path library = folder.resolve(System.mapLibraryName(name));
    return Files.exists(library) ? library.toString() : null;
  }
}
