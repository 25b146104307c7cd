package org.evenweave.standalone.controller;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** The limit on open files and connections of the process (RLIMIT_NOFILE). */
final class OpenFiles {
  /** A controller without a switch has some 90: threads' selectors, jar files, listeners. */
  static final long LEAST = 128;

  private OpenFiles() {}

  /**
   * What is wrong with the limit, in a sentence; empty if it is enough to begin with. Beyond it
   * classes cannot be loaded any more, which shows in any place.
   */
  static String problem() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    long most =
        system instanceof UnixOperatingSystemMXBean
            ? ((UnixOperatingSystemMXBean) system).getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    return most >= LEAST
        ? ""
        : "only "
            + most
            + " files and connections may be open, and the controller needs "
            + LEAST
            + " and one for each switch and client: raise the limit (ulimit -n, LimitNOFILE=)";
  }
}
