package org.evenweave.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificates that authorities have revoked (RFC 5280, section 5). A list counts for as long
 * as it is there, also after its next one was due: a certificate that was revoked stays so.
 * Immutable.
 */
final class Revocations {
  static final Revocations NONE = new Revocations(List.of());

  private final List<X509CRL> lists;

  private Revocations(List<X509CRL> lists) {
    this.lists = lists;
  }

  /**
   * Reads a file of lists in PEM; where there is none, nothing is revoked.
   *
   * @param authorities one of which must have signed each list
   * @throws IOException if it cannot be read, or a list is nobody's; names the file
   */
  static Revocations read(Path pem, List<X509Certificate> authorities) throws IOException {
    if (!Files.exists(pem)) {
      return NONE;
    }
    List<X509CRL> lists = new ArrayList<>();
    try (InputStream in = Files.newInputStream(pem)) {
      for (CRL each : CertificateFactory.getInstance("X.509").generateCRLs(in)) {
        X509CRL list = (X509CRL) each;
        if (authorities.stream().noneMatch(authority -> isOf(authority, list))) {
          throw new IOException(
              pem
                  + " has a list of \""
                  + list.getIssuerX500Principal()
                  + "\", which no authority has signed");
        }
        lists.add(list);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(pem + " has no list of revoked certificates in PEM", e);
    }
    return new Revocations(List.copyOf(lists));
  }

  private static boolean isOf(X509Certificate authority, X509CRL list) {
    if (!authority.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
      return false;
    }
    try {
      list.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Whether its issuer has revoked a certificate. */
  boolean has(X509Certificate certificate) {
    return lists.stream()
        .anyMatch(
            list ->
                list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())
                    && list.getRevokedCertificate(certificate.getSerialNumber()) != null);
  }

  /** The same trust without what is revoked. */
  X509ExtendedTrustManager without(X509ExtendedTrustManager trust) {
    return new Unrevoked(trust);
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate each : chain) {
      if (has(each)) {
        throw new CertificateException(
            "the certificate of \"" + each.getSubjectX500Principal() + "\" is revoked");
      }
    }
  }

  private final class Unrevoked extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager trust;

    Unrevoked(X509ExtendedTrustManager trust) {
      this.trust = trust;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust.checkClientTrusted(chain, type);
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust.checkClientTrusted(chain, type, socket);
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust.checkClientTrusted(chain, type, engine);
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust.checkServerTrusted(chain, type);
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust.checkServerTrusted(chain, type, socket);
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust.checkServerTrusted(chain, type, engine);
      check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return trust.getAcceptedIssuers();
    }
  }
}
