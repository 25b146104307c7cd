package org.evenweave.standalone.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.standalone.TestKeys;
import org.evenweave.tls.Certificates;
import org.evenweave.tls.Expiry;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityWatchTest {
  @Test
  void certificatesOfTheControllerAndItsPeersAreWarnedOfBeforeTheyExpire(@TempDir Path temporary)
      throws IOException {
    TestKeys keys = new TestKeys(temporary);
    TlsIdentity identity = keys.controller();
    X509Certificate ofSwitch = Certificates.read(keys.folder.resolve("s1.pem")).get(0);
    Map<String, X509Certificate> peers = Map.of("switch s1", ofSwitch);
    Instant end = identity.certificates().get(0).getNotAfter().toInstant();
    assertEquals(List.of(), Expiry.warnings(identity, peers, end.minus(Duration.ofDays(31))));
    List<String> soon = Expiry.warnings(identity, peers, end.minus(Duration.ofDays(20)));
    assertEquals(2, soon.size(), soon.toString());
    assertTrue(soon.get(0).startsWith("the certificate of the controller in "), soon.get(0));
    assertTrue(soon.get(1).startsWith("the certificate of switch s1 expires on "), soon.get(1));
    Instant muchLater = end.plus(Duration.ofDays(4000));
    assertEquals(4, Expiry.warnings(identity, peers, muchLater).size());
  }

  @Test
  void aProblemIsReportedWhenItBeginsAndWhenItEnds() {
    List<String> problems = new ArrayList<>();
    List<List<String>> reports = new ArrayList<>();
    try (SecurityWatch watch = new SecurityWatch(() -> problems, reports::add)) {
      watch.look();
      problems.addAll(List.of("renew it", "renew it"));
      watch.look();
      watch.look();
      problems.clear();
      watch.look();
    }
    assertEquals(List.of(List.of("renew it"), List.of()), reports);
  }
}
