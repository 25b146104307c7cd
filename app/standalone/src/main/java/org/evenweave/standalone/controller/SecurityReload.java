package org.evenweave.standalone.controller;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads keys and tokens again at SIGHUP, and logs the result. */
final class SecurityReload implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SecurityReload.class);

  private final Security security;
  private final Supplier<List<TlsIdentity>> others;

  /**
   * @param others keys besides
   */
  SecurityReload(Security security, Supplier<List<TlsIdentity>> others) {
    this.security = security;
    this.others = others;
  }

  @Override
  public synchronized void run() {
    if (security.hasFiles()) {
      List<String> problems = security.reload();
      problems.forEach(SecurityReload::refused);
      if (problems.isEmpty()) {
        LOG.info("SIGHUP: keys and tokens were read again; open connections stay, unless revoked");
      }
    }
    for (TlsIdentity each : others.get()) {
      try {
        each.reload();
        LOG.info(
            "SIGHUP: the keys in {} were read again; open connections stay, unless revoked",
            each.folder());
      } catch (IOException e) {
        refused(e.getMessage());
      }
    }
  }

  private static void refused(String problem) {
    LOG.error("SIGHUP: the previous keys and tokens stay in use: {}", problem);
  }
}
