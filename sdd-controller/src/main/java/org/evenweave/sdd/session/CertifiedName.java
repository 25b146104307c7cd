package org.evenweave.sdd.session;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.evenweave.tls.Certificates;

/** The certified name of the other end of a connection. */
final class CertifiedName {
  private CertifiedName() {}

  /**
   * The common name in the certificate that the other end has shown.
   *
   * @throws RefusedException if there is none
   */
  static String of(ChannelPipeline pipeline) throws RefusedException {
    try {
      return commonName(certificate(pipeline));
    } catch (SSLPeerUnverifiedException e) {
      throw new RefusedException("the client has no valid certificate");
    }
  }

  /** The certificate that the other end has shown. */
  static X509Certificate certificate(ChannelPipeline pipeline) throws SSLPeerUnverifiedException {
    return (X509Certificate) session(pipeline).getPeerCertificates()[0];
  }

  /** Whether it is a controller: the authority calls it what it calls this one. */
  static boolean isController(ChannelPipeline pipeline) {
    try {
      return of(pipeline)
          .equals(commonName((X509Certificate) session(pipeline).getLocalCertificates()[0]));
    } catch (RefusedException e) {
      return false;
    }
  }

  private static SSLSession session(ChannelPipeline pipeline) {
    return pipeline.get(SslHandler.class).engine().getSession();
  }

  private static String commonName(X509Certificate certificate) throws RefusedException {
    return Certificates.commonName(certificate)
        .orElseThrow(() -> new RefusedException("the certificate has no common name"));
  }
}
