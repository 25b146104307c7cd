package org.evenweave.standalone.controller;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;

/** The address on which REST listens, and whether it uses TLS: an address, or a URL. Immutable. */
final class HttpListen {
  private static final String HTTPS = "https://";
  private static final String HTTP = "http://";

  /** What the scheme of a URL asks for. */
  enum Scheme {
    HTTP,
    HTTPS,
    /** TLS beyond loopback. */
    NOT_GIVEN
  }

  final InetSocketAddress address;
  final Scheme scheme;

  private HttpListen(InetSocketAddress address, Scheme scheme) {
    this.address = address;
    this.scheme = scheme;
  }

  boolean isLoopback() {
    return address.getAddress().isLoopbackAddress();
  }

  /** Reads {@code host:port}, a port alone, or either as a URL. */
  static final class Reader implements ITypeConverter<HttpListen> {
    @Override
    public HttpListen convert(String text) {
      boolean https = text.regionMatches(true, 0, HTTPS, 0, HTTPS.length());
      boolean http = text.regionMatches(true, 0, HTTP, 0, HTTP.length());
      String plain = https ? HTTP + text.substring(HTTPS.length()) : text;
      return new HttpListen(
          new HttpAddress().convert(plain),
          https ? Scheme.HTTPS : http ? Scheme.HTTP : Scheme.NOT_GIVEN);
    }
  }
}
