package org.evenweave.bench.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Programs for tests. */
public final class Scripts {
  private Scripts() {}

  /** An executable shell script. */
  public static String write(Path folder, String commands) throws IOException {
    Path script = folder.resolve("authors.sh");
    Files.writeString(script, "#!/bin/sh\n" + commands + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }
}
