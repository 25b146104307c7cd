package org.evenweave.standalone.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceManagerTest {
  private static final long PID = 7;
  private final List<String> sent = new ArrayList<>();

  private ServiceManager manager(Map<String, String> environment) {
    return new ServiceManager(environment, PID, sent::addAll);
  }

  @Test
  void aProcessThatSystemdDidNotStartSendsNothing() {
    ServiceManager none = manager(Map.of());
    none.ready(() -> true);
    none.stopping();
    assertEquals(List.of(), sent);
  }

  @Test
  void readyAndStoppingAreSent() {
    ServiceManager manager = manager(Map.of("NOTIFY_SOCKET", "/run/systemd/notify"));
    manager.ready(() -> true);
    manager.stopping();
    assertEquals(List.of("READY=1", "STOPPING=1"), sent);
  }

  @Test
  void aThreadThatStandsStillSendsNoSignOfLife() {
    ServiceManager manager =
        manager(Map.of("NOTIFY_SOCKET", "@n", "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "7"));
    manager.sign(() -> false);
    assertEquals(List.of(), sent);
    manager.sign(() -> true);
    assertEquals(List.of("WATCHDOG=1"), sent);
  }
}
