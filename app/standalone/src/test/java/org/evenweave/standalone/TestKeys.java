package org.evenweave.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.Participant;
import org.evenweave.tls.TlsIdentity;

/** A folder of keys for tests, and sockets of their holders. */
public final class TestKeys {
  public final Path folder;
  private final Path holders;

  /** With a controller, the switches s1 and s2, an operator of each role, and the host h0. */
  public TestKeys(Path temporary) throws IOException {
    folder = temporary.resolve("keys");
    holders = Files.createDirectories(temporary.resolve("holders"));
    KeyFolder.make(
        folder,
        List.of(
            Participant.switchOf("s1", List.of(1L)),
            Participant.switchOf("s2", List.of(2L)),
            Participant.operator("alice", "configure"),
            Participant.operator("bob", "read"),
            Participant.client("h0")));
  }

  /** The controller's. */
  public TlsIdentity controller() throws IOException {
    return TlsIdentity.read(folder);
  }

  /** An unconnected socket by which somebody proves who he is. */
  public SSLSocket socketOf(String name, String... protocols) throws IOException {
    Path own = Files.createDirectories(holders.resolve(name));
    copy(folder.resolve("ca.pem"), own.resolve("ca.pem"));
    copy(folder.resolve(name + ".pem"), own.resolve("controller.pem"));
    copy(folder.resolve(name + ".key"), own.resolve("controller.key"));
    SSLSocket socket = (SSLSocket) TlsIdentity.read(own).socketFactory().createSocket();
    socket.setEnabledProtocols(protocols);
    return socket;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }
}
