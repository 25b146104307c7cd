package org.evenweave.standalone.controller;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.tls.TlsIdentity;

/** By what a controller protects its channels. Immutable, though its files may be read again. */
final class Security implements AutoCloseable {
  /** No TLS and no log-in. */
  static final Security NONE = new Security(null, false, AccessControl.OPEN);

  private final TlsIdentity keys;
  private final boolean restTls;
  private final AccessControl accessControl;

  /**
   * @param keys for OpenFlow, OVSDB and REST; null for none
   * @param restTls whether REST speaks TLS; only with keys
   */
  Security(TlsIdentity keys, boolean restTls, AccessControl accessControl) {
    this.keys = keys;
    this.restTls = restTls && keys != null;
    this.accessControl = accessControl;
  }

  /** For OpenFlow and OVSDB. */
  Optional<TlsIdentity> keys() {
    return Optional.ofNullable(keys);
  }

  /** For REST; null for plain HTTP. */
  TlsIdentity restKeys() {
    return restTls ? keys : null;
  }

  AccessControl accessControl() {
    return accessControl;
  }

  /** Whether there are files to be read again. */
  boolean hasFiles() {
    return keys != null || accessControl.hasTokens();
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
      accessControl.reload();
    } catch (IOException e) {
      problems.add(e.getMessage());
    }
    return problems;
  }

  @Override
  public void close() {
    accessControl.close();
  }
}
