package org.evenweave.sdd.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.EdgeKeysDecoder;
import org.evenweave.sdd.protocol.wire.EdgeOrderDecoder;
import org.evenweave.sdd.protocol.wire.EdgeWeightsDecoder;
import org.evenweave.sdd.protocol.wire.Status;

/** An edge without packets: it follows every order, and repeats a report of one peer. */
public final class FakeEdge {
  private FakeEdge() {}

  /**
   * Connects one, which stays until the controller ends.
   *
   * @param report the fields of {@code evenweave edge show --json}, with one peer
   */
  public static void connect(InetSocketAddress server, Path keys, String name, String report)
      throws IOException, GeneralSecurityException, ProtocolException {
    FakeClient client = FakeClient.greeting(server, keys, name, ClientFrames.edgeHello(name));
    client.repeat(() -> ClientFrames.edgeReport(1, 0, report));
    Thread answers = new Thread(() -> answer(client), "fake-edge");
    answers.setDaemon(true);
    answers.start();
  }

  private static void answer(FakeClient client) {
    try {
      for (FakeClient.Message m = client.receive(); m != null; m = client.receive()) {
        if (m.template == EdgeOrderDecoder.TEMPLATE_ID
            || m.template == EdgeWeightsDecoder.TEMPLATE_ID
            || m.template == EdgeKeysDecoder.TEMPLATE_ID) {
          long id = m.buffer.getLong(m.at.bodyOffset(), ByteOrder.LITTLE_ENDIAN);
          client.send(ClientFrames.reply(id, Status.OK, 0, 0, ""));
        }
      }
    } catch (IOException | ProtocolException e) {
      // The connection has ended, as every connection does.
    }
  }
}
