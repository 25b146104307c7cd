package org.evenweave.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.evenweave.tls.TlsIdentity;

/**
 * Opens connections to OVSDB servers: {@code tcp:HOST:PORT} in the clear, {@code ssl:HOST:PORT} by
 * TLS 1.2 or 1.3, where the server must show a certificate for servers that the authority signed.
 */
public final class OvsdbTls {
  /** For a connection, and for each reading. */
  private static final int TIMEOUT_MILLIS = 3000;

  /** Without keys; {@code ssl:} servers are refused. */
  public static final OvsdbTls NONE = new OvsdbTls(null, TIMEOUT_MILLIS);

  private static final String SSL = "ssl:";
  private static final int SCHEME_LENGTH = 4;

  /** Null without keys. */
  private final TlsIdentity keys;

  private final int timeoutMillis;

  private OvsdbTls(TlsIdentity keys, int timeoutMillis) {
    this.keys = keys;
    this.timeoutMillis = timeoutMillis;
  }

  /** With a controller's keys, as they are when a connection is opened. */
  public static OvsdbTls of(TlsIdentity keys) {
    return new OvsdbTls(keys, TIMEOUT_MILLIS);
  }

  /** The same with another time-out. */
  OvsdbTls within(int otherTimeoutMillis) {
    return new OvsdbTls(keys, otherTimeoutMillis);
  }

  /** How long a server may take for a connection, and for each answer. */
  int timeoutMillis() {
    return timeoutMillis;
  }

  /**
   * Connects; the caller closes the socket.
   *
   * @param server as in {@code ssl:10.0.0.1:6640}
   * @throws OvsdbException if there are no keys
   */
  Socket connect(String server) throws IOException {
    boolean ssl = server.startsWith(SSL);
    if (ssl && keys == null) {
      throw new OvsdbException(
          "TLS needs keys, which --keys gives the embedded controller; in ONOS use tcp: servers on"
              + " a network of their own");
    }
    int colon = server.lastIndexOf(':');
    String host = server.substring(SCHEME_LENGTH, colon);
    int port = Integer.parseInt(server.substring(colon + 1));
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(host, port), timeoutMillis);
      plain.setSoTimeout(timeoutMillis);
      plain.setTcpNoDelay(true);
      return ssl ? secured(plain, host, port) : plain;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private Socket secured(Socket plain, String host, int port) throws IOException {
    SSLSocket secured = (SSLSocket) keys.socketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setCipherSuites(TlsIdentity.strong(parameters.getCipherSuites()));
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /**
   * Checks a connection before it is used again.
   *
   * @throws OvsdbException if the server's certificate has been revoked since the connection opened
   */
  void check(Socket connected) throws IOException {
    if (connected instanceof SSLSocket) {
      X509Certificate shown =
          (X509Certificate) ((SSLSocket) connected).getSession().getPeerCertificates()[0];
      if (keys.isRevoked(shown)) {
        throw new OvsdbException(
            "the certificate of \"" + shown.getSubjectX500Principal() + "\" is revoked");
      }
    }
  }
}
