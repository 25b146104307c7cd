package org.evenweave.ovsdb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** What an OVSDB server answers when the controller reads its tables. */
public final class OvsdbFuzz {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final ServerSocket SERVER = listen();

  private OvsdbFuzz() {}

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] answer) throws IOException {
    String server = "tcp:127.0.0.1:" + SERVER.getLocalPort();
    try (BfdDatabase database = new BfdDatabase(server, PATIENCE, OvsdbTls.NONE);
        Socket served = SERVER.accept()) {
      served.setSoLinger(true, 0);
      served.getOutputStream().write(answer);
      served.shutdownOutput();
      database.read();
      database.standalone();
    } catch (IOException e) {
      // Refused with a reason.
    }
  }
}
