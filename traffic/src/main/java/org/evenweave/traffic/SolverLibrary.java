package org.evenweave.traffic;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/**
 * Loads the native libraries of OR-tools. Its own loader copies them into a new folder in /tmp at
 * every start, which a killed process leaves, and which may be full, read-only or mounted noexec.
 * Here they are unpacked once, into the first {@linkplain LibraryCache cache folder} from which
 * they can be loaded. Safe for many threads.
 */
final class SolverLibrary {
  private static final String LIBRARY = "jniortools";

  private static boolean loaded;

  private SolverLibrary() {}

  /**
   * Loads them, unless that is done; a few tenths of a second at the first call. After a failure
   * the next call tries again.
   *
   * @throws SolverUnavailableException if they cannot be loaded from any folder
   */
  static synchronized void load() {
    if (!loaded) {
      if (!loadByName()) {
        loadFromCache(LibraryCache.folders(System.getenv(), System.getProperties()));
      }
      loaded = true;
    }
  }

  /** From java.library.path, or from where the class loader has them, as in ONOS. */
  private static boolean loadByName() {
    try {
      System.loadLibrary(LIBRARY);
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  private static void loadFromCache(List<Path> folders) {
    String resources = "ortools-" + platform();
    String library = System.mapLibraryName(LIBRARY);
    URL url = SolverLibrary.class.getClassLoader().getResource(resources + "/" + library);
    if (url == null) {
      throw new SolverUnavailableException("there is none for " + platform());
    }
    List<String> problems = new ArrayList<>();
    try (JarFile jar = jar(url)) {
      for (Path folder : folders) {
        try {
          Path unpacked = new LibraryCache(jar, resources).unpackedIn(folder);
          System.load(unpacked.resolve(library).toString());
          return;
        } catch (IOException | UnsatisfiedLinkError e) {
          problems.add(folder + ": " + reason(e));
        }
      }
    } catch (IOException e) {
      problems.add(url + ": " + reason(e));
    }
    throw new SolverUnavailableException(
        String.join("; ", problems)
            + "; set "
            + LibraryCache.VARIABLE
            + " to a folder that can be written to and that is not mounted noexec");
  }

  private static JarFile jar(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    if (!(connection instanceof JarURLConnection)) {
      throw new IOException("is in no jar file");
    }
    connection.setUseCaches(false);
    return ((JarURLConnection) connection).getJarFile();
  }

  private static String platform() {
    String architecture = System.getProperty("os.arch").equals("amd64") ? "x86-64" : "aarch64";
    return "linux-" + architecture;
  }

  /** Without the file's name, which the folder's stands for. */
  private static String reason(Throwable problem) {
    if (problem instanceof FileSystemException) {
      String reason = ((FileSystemException) problem).getReason();
      return reason == null ? problem.getClass().getSimpleName() : reason;
    }
    String message = String.valueOf(problem.getMessage());
    int end = message.lastIndexOf(": ");
    return end < 0 ? message : message.substring(end + 2);
  }
}
