package org.evenweave.standalone.http;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the pages of other sites, which a browser on this machine may show, away from the server.
 *
 * <p>A page whose own name is made to resolve to this machine (DNS rebinding) sends that name as
 * {@code Host}: so the names that are not this server's are refused. Addresses are never refused,
 * since no page gets there by rebinding. Any other page sends its own {@code Origin} with what it
 * posts: so origins other than the server itself are refused.
 */
final class SameSite {
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern ADDRESS =
      Pattern.compile("\\[.*\\]|\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  private static final Pattern ORIGIN = Pattern.compile("https?://(.+)");

  private final Set<String> names = new TreeSet<>();

  /**
   * @param names host names of the server, besides localhost
   */
  SameSite(Collection<String> names) {
    this.names.add("localhost");
    names.forEach(name -> this.names.add(name.toLowerCase(Locale.ROOT)));
  }

  /** What is wrong with a request, with its status. */
  static final class Refusal {
    final int status;
    final String reason;

    private Refusal(int status, String reason) {
      this.status = status;
      this.reason = reason;
    }
  }

  /**
   * Looks at a request's headers.
   *
   * @param hosts the values of all headers {@code Host}
   * @param origins the values of all headers {@code Origin}
   * @return null if the request is to be served
   */
  Refusal check(List<String> hosts, List<String> origins) {
    if (hosts.size() != 1) {
      return new Refusal(400, "the request must have exactly one Host");
    }
    Matcher host = HOST.matcher(hosts.get(0).trim());
    if (!host.matches()) {
      return new Refusal(400, "Host must be a name or an address, and may have a port");
    }
    String name = host.group(1).toLowerCase(Locale.ROOT);
    if (!ADDRESS.matcher(name).matches() && !names.contains(name)) {
      return new Refusal(
          403, "\"" + name + "\" is no name of this server; --http-name " + name + " allows it");
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
