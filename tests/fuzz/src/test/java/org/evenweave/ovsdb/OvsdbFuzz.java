package org.evenweave.ovsdb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** What an OVSDB server answers when the controller reads its tables. */
public final class OvsdbFuzz {
  private static final OvsdbTls OPENER = OvsdbTls.NONE.within(5000);
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
    try (BfdDatabase database = new BfdDatabase(server, OPENER);
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
