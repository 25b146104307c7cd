package org.evenweave.sdd.session;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.MessageReader;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.LeadershipDecoder;
import org.evenweave.tls.TlsIdentity;

/** A client's connection in tests: TLS by the JDK's sockets, frames in and out. */
public final class FakeClient implements AutoCloseable {
  private static final long REPEAT_NS = 200_000_000;
  private static final char[] NO_PASSWORD = new char[0];

  private final SSLSocket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final MessageReader reader = new MessageReader();

  /** What answered the hello, until it is received. */
  private Message answer;

  /** One message from the controller. */
  public static final class Message {
    public final int template;
    public final UnsafeBuffer buffer;
    public final MessageReader at;

    private Message(int template, UnsafeBuffer buffer, MessageReader at) {
      this.template = template;
      this.buffer = buffer;
      this.at = at;
    }
  }

  /**
   * Connects and shakes hands.
   *
   * @param folder with {@code ca.pem} and the client's files
   * @param certificate whose certificate is shown, or null for none
   * @param protocol such as TLSv1.3
   */
  public FakeClient(InetSocketAddress server, Path folder, String certificate, String protocol)
      throws IOException, GeneralSecurityException {
    socket =
        (SSLSocket)
            context(folder, certificate)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.getPort());
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SessionBed.HANG_SECONDS));
    socket.setEnabledProtocols(new String[] {protocol});
    try {
      socket.startHandshake();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /**
   * Connects and says hello; again, as clients do, if the controller has not heard it in time. The
   * answer is received as all messages are. The last error, if it is not heard before tests hang.
   */
  public static FakeClient greeting(
      InetSocketAddress server, Path folder, String certificate, Frame hello)
      throws IOException, GeneralSecurityException, ProtocolException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SessionBed.HANG_SECONDS);
    while (true) {
      IOException error = new EOFException("the controller does not answer the hello");
      try {
        FakeClient connected = new FakeClient(server, folder, certificate, "TLSv1.3");
        connected.send(hello);
        connected.answer = connected.receiveAny();
        if (connected.answer != null) {
          return connected;
        }
        connected.close();
      } catch (SSLException | SocketException e) {
        error = e;
      }
      if (System.nanoTime() > deadline) {
        throw error;
      }
    }
  }

  /**
   * Sends a message every so often until the connection ends, as hosts and the circuit switch do:
   * the controller ends sessions in which it hears nothing for seconds.
   */
  void repeat(Supplier<Frame> message) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!socket.isClosed()) {
                  send(message.get());
                  TimeUnit.NANOSECONDS.sleep(REPEAT_NS);
                }
              } catch (IOException e) {
                // The connection has ended, as every connection does.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "fake-repeat");
    thread.setDaemon(true);
    thread.start();
  }

  public static SSLContext context(Path folder, String name)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(TlsIdentity.IN_MEMORY);
    trusted.load(null, NO_PASSWORD);
    trusted.setCertificateEntry("ca", certificate(folder.resolve("ca.pem")));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    KeyStore own = KeyStore.getInstance(TlsIdentity.IN_MEMORY);
    own.load(null, NO_PASSWORD);
    if (name != null) {
      own.setKeyEntry(
          "own",
          key(folder.resolve(name + ".key")),
          NO_PASSWORD,
          new Certificate[] {certificate(folder.resolve(name + ".pem"))});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
    String text =
        Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[^-]+-----", "");
    byte[] encoded = Base64.getMimeDecoder().decode(text);
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  public void send(Frame frame) throws IOException {
    sendRaw(frame.length(), frame.bytes());
  }

  /** Any length before any bytes. */
  public synchronized void sendRaw(int length, byte[] bytes) throws IOException {
    byte[] framed = new byte[4 + bytes.length];
    for (int i = 0; i < 4; i++) {
      framed[i] = (byte) (length >>> (8 * i));
    }
    System.arraycopy(bytes, 0, framed, 4, bytes.length);
    out.write(framed);
    out.flush();
  }

  /** The next message but for leadership; null if the controller has ended the connection. */
  public Message receive() throws IOException, ProtocolException {
    Message message = receiveAny();
    while (message != null && message.template == LeadershipDecoder.TEMPLATE_ID) {
      message = receiveAny();
    }
    return message;
  }

  /** The next message; null if the controller has ended the connection. */
  public Message receiveAny() throws IOException, ProtocolException {
    if (answer != null) {
      Message first = answer;
      answer = null;
      return first;
    }
    try {
      byte[] bytes = new byte[Integer.reverseBytes(in.readInt())];
      in.readFully(bytes);
      UnsafeBuffer buffer = new UnsafeBuffer(bytes);
      return new Message(reader.open(buffer, 0, bytes.length), buffer, reader);
    } catch (EOFException | SocketException | SSLException e) {
      return null;
    }
  }

  /** Reads whatever comes until the controller has ended the connection. */
  public void awaitEnd() throws IOException {
    try {
      in.readAllBytes();
    } catch (SocketException | SSLException e) {
      // Ended all the same.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
