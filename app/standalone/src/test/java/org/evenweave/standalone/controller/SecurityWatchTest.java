package org.evenweave.standalone.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.standalone.TestKeys;
import org.evenweave.standalone.access.Gate;
import org.evenweave.tls.Certificates;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityWatchTest {
  private final List<List<String>> reports = new ArrayList<>();

  private List<String> reportsAt(TlsIdentity identity, X509Certificate ofSwitch, Instant now) {
    reports.clear();
    try (SecurityWatch watch =
        new SecurityWatch(
            List.of(identity),
            () -> Map.of("s1", ofSwitch),
            Gate.OPEN,
            reports::add,
            Clock.fixed(now, ZoneOffset.UTC))) {
      watch.look();
      watch.look();
    }
    assertTrue(reports.size() <= 1, "what is known already is not reported again");
    return reports.isEmpty() ? List.of() : reports.get(0);
  }

  @Test
  void certificatesOfTheControllerAndOfConnectedSwitchesAreReportedBeforeTheyExpire(
      @TempDir Path temporary) throws IOException {
    TestKeys keys = new TestKeys(temporary);
    TlsIdentity identity = keys.controller();
    X509Certificate ofSwitch = Certificates.read(keys.folder.resolve("s1.pem")).get(0);
    Instant end = identity.certificates().get(0).getNotAfter().toInstant();
    assertEquals(List.of(), reportsAt(identity, ofSwitch, end.minus(Duration.ofDays(31))));
    List<String> soon = reportsAt(identity, ofSwitch, end.minus(Duration.ofDays(20)));
    assertEquals(2, soon.size(), soon.toString());
    assertTrue(soon.get(0).startsWith("the certificate of the controller in "), soon.get(0));
    assertTrue(soon.get(1).startsWith("the certificate of switch s1 expires on "), soon.get(1));
    Instant muchLater = end.plus(Duration.ofDays(4000));
    assertEquals(4, reportsAt(identity, ofSwitch, muchLater).size());
  }
}
