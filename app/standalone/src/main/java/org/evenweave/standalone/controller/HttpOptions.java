package org.evenweave.standalone.controller;

import java.net.InetSocketAddress;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The options of a command that serves REST. */
public final class HttpOptions {
  private static final Logger LOG = LoggerFactory.getLogger(HttpOptions.class);

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8282",
      converter = HttpAddress.class,
      description = "Where HTTP clients connect (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress address;

  @Option(
      names = "--http-name",
      paramLabel = "NAME",
      description =
          "A host name that HTTP clients may use, besides localhost and any address; repeatable."
              + " Other names are refused, because pages of other sites could use them.")
  private List<String> names = List.of();

  /** Where to listen. */
  public InetSocketAddress address() {
    return address;
  }

  /** The host names by which clients may call the server, besides localhost. */
  public List<String> names() {
    return names;
  }

  /** Warns if clients on other machines can connect, since nobody is authenticated. */
  public void warnIfPublic() {
    warnIfPublic("--http", address);
  }

  static void warnIfPublic(String option, InetSocketAddress address) {
    if (!address.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "{} {} can be reached from other machines, without authentication",
          option,
          Endpoint.text(address));
    }
  }
}
