package org.evenweave.sdd.session;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.BiFunction;
import javax.net.ssl.SSLException;

/**
 * The PEM files of one participant: {@code ca.pem}, the private authority that all trust and nobody
 * else; {@code NAME.pem}, the certificate; {@code NAME.key}, its private key (PKCS #8, not
 * encrypted).
 */
public final class TlsFiles {
  /** The controller's name in its certificate. */
  public static final String CONTROLLER = "controller";

  /** Nothing older is spoken. */
  private static final String PROTOCOL = "TLSv1.3";

  /**
   * Of key stores that never leave memory. The default, PKCS12, encrypts each key by 10,000 rounds
   * of SHA-256, which takes most of the time of a start.
   */
  static final String IN_MEMORY = "JKS";

  private TlsFiles() {}

  /**
   * The controller's side: clients must show a certificate of the authority.
   *
   * @throws IOException if a file cannot be read or is invalid; names it
   */
  public static SslContext forController(Path folder) throws IOException {
    return built(folder, SslContextBuilder::forServer);
  }

  /**
   * The side of a controller that connects to another one, with the same certificate.
   *
   * @throws IOException if a file cannot be read or is invalid; names it
   */
  public static SslContext betweenControllers(Path folder) throws IOException {
    return built(folder, SslContextBuilder.forClient()::keyManager);
  }

  private static SslContext built(Path folder, BiFunction<File, File, SslContextBuilder> side)
      throws IOException {
    File certificate = readable(folder.resolve(CONTROLLER + ".pem"));
    File key = readable(folder.resolve(CONTROLLER + ".key"));
    File authority = readable(folder.resolve("ca.pem"));
    try {
      KeyPairCheck.require(certificate, key);
      // Who connects has no use for clientAuth, and asks for the other's certificate anyway.
      return side.apply(certificate, key)
          .sslProvider(SslProvider.JDK)
          .trustManager(authority)
          .clientAuth(ClientAuth.REQUIRE)
          .protocols(PROTOCOL)
          .keyStoreType(IN_MEMORY)
          .build();
    } catch (SSLException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("the keys in " + folder + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static File readable(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException(file + " is not there or cannot be read");
    }
    return file.toFile();
  }
}
