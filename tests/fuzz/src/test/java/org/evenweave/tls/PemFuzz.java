package org.evenweave.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Files of certificates, keys and lists of revoked certificates, and what certificates say. */
public final class PemFuzz {
  private PemFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] pem) throws IOException {
    Path file = Files.createTempFile("keys", ".pem");
    try {
      Files.write(file, pem);
      read(file);
      Revocations.read(file, List.of());
    } catch (IOException e) {
      // Refused with a reason.
    } finally {
      Files.delete(file);
    }
  }

  private static void read(Path file) throws IOException {
    List<X509Certificate> certificates;
    try {
      certificates = Certificates.read(file);
    } catch (IOException e) {
      return;
    }
    for (X509Certificate each : certificates) {
      Certificates.commonName(each);
      Certificates.datapathIds(each);
      Certificates.role(each);
      Certificates.fingerprint(each);
      Participant.of("name", each);
    }
    try {
      PrivateKeys.read(file, certificates.get(0), file);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // TlsIdentity refuses such files.
    }
  }
}
