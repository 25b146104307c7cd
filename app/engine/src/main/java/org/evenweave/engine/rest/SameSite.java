package org.evenweave.engine.rest;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the pages of other sites, which an operator's browser may show, away from a server.
 *
 * <p>A page sends its own {@code Origin} with what it posts: so origins other than the server
 * itself are refused. A page whose own name is made to resolve to the server (DNS rebinding) sends
 * that name as {@code Host} too: so a server that asks nobody for a password refuses names that are
 * not its own. Addresses are never refused, since no page gets there by rebinding. A server that
 * asks for a password takes any name: browsers keep passwords by name, so such a page has none to
 * send.
 */
public final class SameSite {
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern ADDRESS =
      Pattern.compile("\\[.*\\]|\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  private static final Pattern ORIGIN = Pattern.compile("https?://(.+)");

  /** Null for any. */
  private final Set<String> names;

  private final String option;

  private SameSite(Set<String> names, String option) {
    this.names = names;
    this.option = option;
  }

  /** For a server that authenticates its clients. */
  public static SameSite withAnyName() {
    return new SameSite(null, "");
  }

  /**
   * For a server that does not.
   *
   * @param names host names of the server, besides localhost
   * @param option of the command line that adds a name, for the message
   */
  public static SameSite withNames(Collection<String> names, String option) {
    Set<String> all = new TreeSet<>(Set.of("localhost"));
    names.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
    return new SameSite(all, option);
  }

  /** What is wrong with a request, with its status. */
  public static final class Refusal {
    private final int status;
    private final String reason;

    private Refusal(int status, String reason) {
      this.status = status;
      this.reason = reason;
    }

    /** Of HTTP: 400 or 403. */
    public int status() {
      return status;
    }

    public String reason() {
      return reason;
    }
  }

  /**
   * Looks at a request's headers.
   *
   * @param hosts the values of all headers {@code Host}
   * @param origins the values of all headers {@code Origin}
   * @return null if the request is to be served
   */
  public Refusal check(List<String> hosts, List<String> origins) {
    if (hosts.size() != 1) {
      return new Refusal(400, "the request must have exactly one Host");
    }
    Matcher host = HOST.matcher(hosts.get(0).trim());
    if (!host.matches()) {
      return new Refusal(400, "Host must be a name or an address, and may have a port");
    }
    String name = host.group(1).toLowerCase(Locale.ROOT);
    if (names != null && !ADDRESS.matcher(name).matches() && !names.contains(name)) {
      return new Refusal(
          403,
          "\"" + name + "\" is not a name of this server; " + option + " " + name + " allows it");
    }
    for (String origin : origins) {
      Matcher url = ORIGIN.matcher(origin.trim());
      if (!url.matches() || !url.group(1).equalsIgnoreCase(hosts.get(0).trim())) {
        return new Refusal(403, "requests from the pages of other sites are not served");
      }
    }
    return null;
  }
}
