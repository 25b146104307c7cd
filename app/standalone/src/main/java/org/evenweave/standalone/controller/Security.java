package org.evenweave.standalone.controller;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.evenweave.standalone.access.Gate;
import org.evenweave.tls.TlsIdentity;

/** By what a controller protects its channels. Immutable, though its files may be read again. */
final class Security implements AutoCloseable {
  /** No TLS and no log-in. */
  static final Security NONE = new Security(null, false, Gate.OPEN);

  private final TlsIdentity keys;
  private final boolean restTls;
  private final Gate gate;

  /**
   * @param keys for OpenFlow, OVSDB and REST; null for none
   * @param restTls whether REST speaks TLS; only with keys
   */
  Security(TlsIdentity keys, boolean restTls, Gate gate) {
    this.keys = keys;
    this.restTls = restTls && keys != null;
    this.gate = gate;
  }

  /** For OpenFlow and OVSDB. */
  Optional<TlsIdentity> keys() {
    return Optional.ofNullable(keys);
  }

  /** For REST; null for plain HTTP. */
  TlsIdentity restKeys() {
    return restTls ? keys : null;
  }

  Gate gate() {
    return gate;
  }

  /** Whether there are files to be read again. */
  boolean hasFiles() {
    return keys != null || gate.hasTokens();
  }

  /**
   * Reads keys and tokens again; what cannot be used stays as it was.
   *
   * @return why some cannot, a sentence for each
   */
  List<String> reload() {
    List<String> problems = new ArrayList<>();
    try {
      if (keys != null) {
        keys.reload();
      }
    } catch (IOException e) {
      problems.add(e.getMessage());
    }
    try {
      gate.reload();
    } catch (IOException e) {
      problems.add(e.getMessage());
    }
    return problems;
  }

  @Override
  public void close() {
    gate.close();
  }
}
