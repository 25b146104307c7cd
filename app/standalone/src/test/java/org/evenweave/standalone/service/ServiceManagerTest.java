package org.evenweave.standalone.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  /** A process that ends, and asks for something at its end only then. */
  static final class Ending {
    private Ending() {}

    public static void main(String[] arguments) {
      Runnable late = () -> ServiceManager.ofProcess().atEnd(() -> System.out.print("stopped"));
      Runtime.getRuntime().addShutdownHook(new Thread(late));
    }
  }

  @Test
  void whatIsAskedForWhileTheProcessEndsIsDoneAtOnce() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Ending.class.getName())
            .redirectErrorStream(true)
            .start();
    byte[] said = process.getInputStream().readAllBytes();
    assertEquals("stopped", new String(said, StandardCharsets.UTF_8));
  }
}
