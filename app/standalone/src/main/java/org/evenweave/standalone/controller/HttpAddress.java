package org.evenweave.standalone.controller;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads where REST is: {@code host:port}, a port alone, or either as an {@code http://} URL. */
public final class HttpAddress implements ITypeConverter<InetSocketAddress> {
  private static final String SCHEME = "http://";

  @Override
  public InetSocketAddress convert(String text) {
    String address = text;
    if (text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      address = text.substring(SCHEME.length());
      address = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }
    if (address.indexOf('/') >= 0) {
      throw new TypeConversionException(
          "\"" + text + "\" is not an address like 127.0.0.1:8282 or http://127.0.0.1:8282");
    }
    return new Endpoint().convert(address);
  }
}
