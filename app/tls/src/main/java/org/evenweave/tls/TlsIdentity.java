package org.evenweave.tls;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The PEM files by which a controller proves who it is: {@code ca.pem}, the private authorities
 * that all trust and nobody else; {@code controller.pem}, its certificate; {@code controller.key},
 * its private key (PKCS #8, not encrypted); and {@code crl.pem}, if it is there, what the
 * authorities have revoked.
 *
 * <p>{@link #reload} replaces all of them at once for connections from then on. Those that are open
 * stay as they are; who keeps some asks {@link #isRevoked} for theirs. Thread-safe.
 */
public final class TlsIdentity {
  /** The controller's name in its certificate, and of its files. */
  public static final String CONTROLLER = "controller";

  /**
   * Of key stores that never leave memory. The default, PKCS12, encrypts each key by 10,000 rounds
   * of SHA-256, which takes most of the time of a start.
   */
  public static final String IN_MEMORY = "JKS";

  static final String AUTHORITIES = "ca.pem";
  static final String REVOKED = "crl.pem";

  /** Of TLS 1.2 what is as good as 1.3: ephemeral keys and authenticated encryption. */
  private static final Pattern STRONG =
      Pattern.compile("TLS_(AES|CHACHA20)_\\w+|TLS_ECDHE_\\w+_(GCM_\\w+|CHACHA20_POLY1305_\\w+)");

  private static final char[] NO_PASSWORD = {};

  private final Path folder;
  private final List<Runnable> reloaded = new CopyOnWriteArrayList<>();
  private volatile Map<Path, Object> filesRead = Map.of();
  private volatile Loaded loaded;

  private TlsIdentity(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads the files of a folder.
   *
   * @throws IOException if one cannot be read or used; names it
   */
  public static TlsIdentity read(Path folder) throws IOException {
    TlsIdentity identity = new TlsIdentity(folder);
    identity.reload();
    return identity;
  }

  /**
   * Reads the files again.
   *
   * @throws IOException if one cannot be read or used; then nothing changes
   */
  public void reload() throws IOException {
    filesRead = changeTimes();
    Path certificate = folder.resolve(CONTROLLER + ".pem");
    List<X509Certificate> chain = Certificates.read(certificate);
    List<X509Certificate> authorities = Certificates.read(folder.resolve(AUTHORITIES));
    Revocations revoked = Revocations.read(folder.resolve(REVOKED), authorities);
    try {
      PrivateKey key =
          PrivateKeys.read(folder.resolve(CONTROLLER + ".key"), chain.get(0), certificate);
      loaded = new Loaded(context(key, chain, authorities, revoked), chain, authorities, revoked);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("the keys in " + folder + " cannot be used: " + e.getMessage(), e);
    }
    reloaded.forEach(Runnable::run);
  }

  /**
   * Reads the files again if one in the folder was added, removed or changed since the last time,
   * including its owner or mode. A failure is not repeated until one changes again.
   *
   * @return whether they were read
   * @throws IOException as {@link #reload}
   */
  public boolean reloadIfChanged() throws IOException {
    if (changeTimes().equals(filesRead)) {
      return false;
    }
    reload();
    return true;
  }

  /** Reads when the content, the owner or the mode of each file last changed. */
  private Map<Path, Object> changeTimes() throws IOException {
    Map<Path, Object> times = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        times.put(file, Files.getAttribute(file, "unix:ctime"));
      }
    } catch (FileSystemException e) {
      // What cannot be listed is reported with its purpose by who reads the files.
      return times;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return times;
  }

  /** Runs something after each time that the files were read again. */
  public void whenReloaded(Runnable action) {
    reloaded.add(action);
  }

  /** Whether the authorities have revoked a certificate, as the files say that were read last. */
  public boolean isRevoked(X509Certificate certificate) {
    return loaded.revoked.has(certificate);
  }

  private static SSLContext context(
      PrivateKey key,
      List<X509Certificate> chain,
      List<X509Certificate> authorities,
      Revocations revoked)
      throws GeneralSecurityException, IOException {
    KeyStore own = empty();
    own.setKeyEntry(CONTROLLER, key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, NO_PASSWORD);
    KeyStore trusted = empty();
    for (X509Certificate authority : authorities) {
      trusted.setCertificateEntry("authority " + trusted.size(), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    // The factory of every JDK makes one, and of this kind.
    X509ExtendedTrustManager trusting = (X509ExtendedTrustManager) trust.getTrustManagers()[0];
    context.init(keys.getKeyManagers(), new TrustManager[] {revoked.without(trusting)}, null);
    return context;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(IN_MEMORY);
    store.load(null, NO_PASSWORD);
    return store;
  }

  /** Whether the other end has to show a certificate of the authority. */
  public enum Peer {
    MUST_PROVE,
    MAY_PROVE
  }

  /**
   * The side of a connection that others open.
   *
   * @param protocols such as {@code TLSv1.3}
   */
  public SSLEngine serverEngine(Peer peer, String... protocols) {
    SSLEngine engine = engine(protocols);
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(peer == Peer.MUST_PROVE);
    if (peer == Peer.MAY_PROVE) {
      engine.setWantClientAuth(true);
    }
    return engine;
  }

  /**
   * The side of a connection that this one opens; the other must show a certificate of the
   * authority.
   */
  public SSLEngine clientEngine(String... protocols) {
    SSLEngine engine = engine(protocols);
    engine.setUseClientMode(true);
    return engine;
  }

  private SSLEngine engine(String... protocols) {
    SSLEngine engine = loaded.context.createSSLEngine();
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(protocols);
    parameters.setCipherSuites(strong(parameters.getCipherSuites()));
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Makes sockets that connect to a server with a certificate of the authority. */
  public SSLSocketFactory socketFactory() {
    return loaded.context.getSocketFactory();
  }

  /** Of some cipher suites those with ephemeral keys and authenticated encryption. */
  public static String[] strong(String... suites) {
    return Arrays.stream(suites)
        .filter(suite -> STRONG.matcher(suite).matches())
        .toArray(String[]::new);
  }

  /** The own certificate first, then the authorities. */
  public List<X509Certificate> certificates() {
    Loaded now = loaded;
    List<X509Certificate> all = new ArrayList<>(now.authorities);
    all.add(0, now.chain.get(0));
    return all;
  }

  /** Where the files are. */
  public Path folder() {
    return folder;
  }

  /** What is in the files, together. */
  private static final class Loaded {
    final SSLContext context;
    final List<X509Certificate> chain;
    final List<X509Certificate> authorities;
    final Revocations revoked;

    Loaded(
        SSLContext context,
        List<X509Certificate> chain,
        List<X509Certificate> authorities,
        Revocations revoked) {
      this.revoked = revoked;
      this.context = context;
      this.chain = chain;
      this.authorities = authorities;
    }
  }
}
