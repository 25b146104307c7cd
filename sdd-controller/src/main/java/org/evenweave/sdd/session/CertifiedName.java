package org.evenweave.sdd.session;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Who is at the other end of a connection. */
final class CertifiedName {
  private CertifiedName() {}

  /**
   * The common name in the certificate that the other end has shown.
   *
   * @throws RefusedException if there is none
   */
  static String of(ChannelPipeline pipeline) throws RefusedException {
    try {
      X509Certificate certificate =
          (X509Certificate)
              pipeline.get(SslHandler.class).engine().getSession().getPeerCertificates()[0];
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return String.valueOf(part.getValue());
        }
      }
    } catch (SSLPeerUnverifiedException | InvalidNameException e) {
      throw new RefusedException("the client has no valid certificate");
    }
    throw new RefusedException("the certificate has no common name");
  }

  /** Whether it is a controller. */
  static boolean isController(ChannelPipeline pipeline) {
    try {
      return of(pipeline).equals(TlsFiles.CONTROLLER);
    } catch (RefusedException e) {
      return false;
    }
  }
}
