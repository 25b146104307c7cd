package org.evenweave.standalone.controller;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.standalone.access.Gate;
import org.evenweave.tls.Expiry;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds for what an operator has to do about security, and reports it whenever
 * that changes: certificates that expire within 30 days, of the controller and of connected
 * switches, and an audit log that cannot be written.
 */
final class SecurityWatch implements AutoCloseable {
  private static final long PERIOD_SECONDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger(SecurityWatch.class);

  private final List<TlsIdentity> identities;
  private final Supplier<Map<String, X509Certificate>> switches;
  private final Gate gate;
  private final Consumer<List<String>> report;
  private final Clock clock;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "security");
            thread.setDaemon(true);
            return thread;
          });
  private List<String> reported = List.of();

  /**
   * @param switches the certificates that connected switches have shown, by id
   * @param report gets a sentence for each reason
   */
  SecurityWatch(
      List<TlsIdentity> identities,
      Supplier<Map<String, X509Certificate>> switches,
      Gate gate,
      Consumer<List<String>> report,
      Clock clock) {
    this.identities = List.copyOf(identities);
    this.switches = switches;
    this.gate = gate;
    this.report = report;
    this.clock = clock;
  }

  void start() {
    timer.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Reports what there is now, if it is not what was reported last. */
  void look() {
    List<String> found = new ArrayList<>();
    Instant now = clock.instant();
    certificates().forEach((whose, each) -> Expiry.warning(whose, each, now).ifPresent(found::add));
    if (!gate.problem().isEmpty()) {
      found.add(gate.problem());
    }
    if (!found.equals(reported)) {
      found.stream().filter(each -> !reported.contains(each)).forEach(LOG::warn);
      reported = found;
      report.accept(found);
    }
  }

  private Map<String, X509Certificate> certificates() {
    Map<String, X509Certificate> all = new LinkedHashMap<>();
    for (TlsIdentity identity : identities) {
      List<X509Certificate> own = identity.certificates();
      all.put("the controller in " + identity.folder(), own.get(0));
      for (int i = 1; i < own.size(); i++) {
        all.put(
            "the authority \""
                + own.get(i).getSubjectX500Principal()
                + "\" in "
                + identity.folder(),
            own.get(i));
      }
    }
    switches.get().forEach((id, each) -> all.put("switch " + id, each));
    return all;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
