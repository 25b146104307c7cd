package org.evenweave.standalone.controller;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}, {@code [ipv6]:port}, or a port alone, which is one of 127.0.0.1. */
public final class Endpoint implements ITypeConverter<InetSocketAddress> {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)\\]:|([^:\\[\\]\\s]+):)?(\\d{1,5})");

  @Override
  public InetSocketAddress convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(3)) > MAX_PORT) {
      throw new TypeConversionException(
          "\"" + text + "\" is not an address like 127.0.0.1:6653 or a port like 6653");
    }
    String host = form.group(1) != null ? form.group(1) : form.group(2);
    InetSocketAddress address =
        new InetSocketAddress(host == null ? LOOPBACK : host, Integer.parseInt(form.group(3)));
    if (address.isUnresolved()) {
      throw new TypeConversionException("no address is known for \"" + host + "\"");
    }
    return address;
  }

  /** As {@code host:port}. */
  public static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
