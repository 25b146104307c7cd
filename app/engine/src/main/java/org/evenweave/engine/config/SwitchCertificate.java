package org.evenweave.engine.config;

import java.util.Locale;

/**
 * Which certificate a switch shows: the one with a SHA-256 fingerprint, as in {@code sha256:5f...}
 * (64 hex digits, with colons or without), or one with a common name, as in {@code CN=s1}.
 * Immutable.
 */
public final class SwitchCertificate {
  private static final String FINGERPRINT = "sha256:";
  private static final String COMMON_NAME = "CN=";

  private final String text;

  private SwitchCertificate(String text) {
    this.text = text;
  }

  /** Reads a text that is valid by {@code docs/schema/fabric.json}. */
  static SwitchCertificate parse(String text) {
    if (text.startsWith(COMMON_NAME)) {
      return new SwitchCertificate(text);
    }
    String digits = text.substring(FINGERPRINT.length()).replace(":", "");
    return new SwitchCertificate(FINGERPRINT + digits.toLowerCase(Locale.ROOT));
  }

  /**
   * Whether a certificate is the one.
   *
   * @param fingerprint its SHA-256 hash, 64 hex digits in lower case
   * @param commonName of its subject; empty if there is none
   */
  public boolean isThatOf(String fingerprint, String commonName) {
    return text.startsWith(COMMON_NAME)
        ? text.substring(COMMON_NAME.length()).equals(commonName)
        : text.equals(FINGERPRINT + fingerprint);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SwitchCertificate && ((SwitchCertificate) other).text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As in configurations. */
  @Override
  public String toString() {
    return text;
  }
}
