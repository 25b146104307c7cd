package org.evenweave.standalone.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The roles of REST clients; each role includes those before it. */
public enum Role {
  /** See everything. */
  READ,
  /** Also drain and take back, release damped links, verify and audit. */
  OPERATE,
  /** Also change the configuration. */
  CONFIGURE;

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

  /** The first segments of paths below which every change is operation. */
  private static final Set<String> OPERATION =
      Set.of("exclusions", "damping", "verification", "audit");

  /** Where nothing is changed by any method: a request has a body that says what to compute. */
  private static final Set<String> COMPUTATION = Set.of("what-if", "striping");

  /** The role of a name such as {@code operate}. */
  public static Optional<Role> named(String name) {
    return Arrays.stream(values()).filter(role -> role.text().equals(name)).findFirst();
  }

  /**
   * What a request needs. What is not known needs the most.
   *
   * @param path below the root of the resources, as in {@code exclusions/s2-1}
   */
  public static Role neededFor(String method, String path) {
    String first = path.indexOf('/') < 0 ? path : path.substring(0, path.indexOf('/'));
    if (READING.contains(method) || COMPUTATION.contains(first)) {
      return READ;
    }
    return OPERATION.contains(first) ? OPERATE : CONFIGURE;
  }

  /** Whether its holder may do what needs another role. */
  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }

  /** As in files and options. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
