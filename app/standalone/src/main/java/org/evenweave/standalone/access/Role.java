package org.evenweave.standalone.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.rest.ReadOnlyRequests;

/** The roles of REST clients; each role includes those before it. */
public enum Role {
  /** See everything. */
  READ,
  /** Also drain and take back, release damped links, verify and audit. */
  OPERATE,
  /** Also change the configuration. */
  CONFIGURE;

  /** The first segments of paths below which every change is operation. */
  private static final Set<String> OPERATION =
      Set.of("exclusions", "damping", "verification", "audit");

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
    if (ReadOnlyRequests.contain(method, path)) {
      return READ;
    }
    String first = path.indexOf('/') < 0 ? path : path.substring(0, path.indexOf('/'));
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
