package org.evenweave.striping.expansion;

import java.util.Locale;

/** A stage of the fabric, and hence an end of a link. */
enum Stage {
  S1("s1"),
  S2("s2");

  private final String prefix;

  Stage(String prefix) {
    this.prefix = prefix;
  }

  /** The end that a link has at the other stage. */
  Stage other() {
    return this == S1 ? S2 : S1;
  }

  /** A port of a switch of this stage in words: {@code s1-3 port 4}. */
  String port(WiredLink link) {
    return String.format(
        Locale.ROOT, "%s-%d port %d", prefix, link.switchAt(this), link.portAt(this));
  }
}
