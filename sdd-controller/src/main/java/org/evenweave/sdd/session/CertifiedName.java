package org.evenweave.sdd.session;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
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
      return commonName(session(pipeline).getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      throw new RefusedException("the client has no valid certificate");
    }
  }

  /** Whether it is a controller: the authority calls it what it calls this one. */
  static boolean isController(ChannelPipeline pipeline) {
    try {
      return of(pipeline).equals(commonName(session(pipeline).getLocalCertificates()[0]));
    } catch (RefusedException e) {
      return false;
    }
  }

  private static SSLSession session(ChannelPipeline pipeline) {
    return pipeline.get(SslHandler.class).engine().getSession();
  }

  private static String commonName(Certificate certificate) throws RefusedException {
    return Certificates.commonName((X509Certificate) certificate)
        .orElseThrow(() -> new RefusedException("the certificate has no common name"));
  }
}
