package org.evenweave.standalone.openflow;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.commons.lang3.StringUtils;
import org.evenweave.engine.config.SwitchCertificate;
import org.evenweave.tls.Certificates;
import org.evenweave.tls.TlsIdentity;

/**
 * TLS with switches, each of which must show its own certificate: the one that is configured for
 * it, or one with the URI {@code of:} and its datapath id. Thread-safe.
 */
public final class SwitchTls {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private static final int MAX_REASON = 200;

  private final TlsIdentity identity;
  private final LongFunction<SwitchCertificate> configured;

  /**
   * @param configured the certificate that is configured for a datapath id, or null
   */
  public SwitchTls(TlsIdentity identity, LongFunction<SwitchCertificate> configured) {
    this.identity = identity;
    this.configured = configured;
  }

  /**
   * What begins the pipeline of a switch's channel.
   *
   * @param timeout how long the handshake may take
   * @param crypto computes the handshake
   */
  SslHandler handler(Duration timeout, Executor crypto) {
    SslHandler handler =
        new SslHandler(identity.serverEngine(TlsIdentity.Peer.MUST_PROVE, PROTOCOLS), crypto);
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    return handler;
  }

  /** The certificate that the other end has shown; null without TLS. */
  static X509Certificate certificate(ChannelPipeline pipeline) {
    SslHandler handler = pipeline.get(SslHandler.class);
    try {
      return handler == null
          ? null
          : (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  /** Why a handshake failed, and what to do; bounded, whatever the other end has sent. */
  static String failure(SSLException problem) {
    return problem instanceof NotSslRecordException
        ? "it does not speak TLS; Open vSwitch does with ovs-vsctl set-ssl and set-controller ssl:"
        : "no TLS with a certificate of the authority: "
            + StringUtils.abbreviate(problem.getMessage(), MAX_REASON);
  }

  /** Why a certificate does not prove that its holder is a switch; empty if it does. */
  String problem(long datapathId, X509Certificate certificate) {
    if (certificate == null) {
      return "it has shown no certificate";
    }
    String name = Certificates.commonName(certificate).orElse("");
    String fingerprint = Certificates.fingerprint(certificate);
    String shown = "the certificate of \"" + name + "\" (sha256:" + fingerprint + ") ";
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException | CertificateNotYetValidException e) {
      return shown + "is not valid today; renew it, as by evenweave keys renew";
    }
    if (identity.isRevoked(certificate)) {
      return shown + "is revoked";
    }
    String id = String.format(Locale.ROOT, "%016x", datapathId);
    SwitchCertificate wanted = configured.apply(datapathId);
    if (wanted != null) {
      return wanted.isThatOf(fingerprint, name)
          ? ""
          : shown + "is not " + wanted + ", which is configured for datapath id " + id;
    }
    if (Certificates.datapathIds(certificate).contains(datapathId)) {
      return "";
    }
    return shown
        + "is not for datapath id "
        + id
        + "; make one by evenweave keys make --switch, or configure this one in"
        + " switches[].certificate";
  }
}
