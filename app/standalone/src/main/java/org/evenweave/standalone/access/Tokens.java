package org.evenweave.standalone.access;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.evenweave.engine.packets.TokenBucket;

/**
 * Checks tokens. A hash is slow by design, so that guessing is; that must not be a lever against
 * the controller:
 *
 * <ul>
 *   <li>A token that was found right is remembered (as its SHA-256) until the file is read again:
 *       its next check costs microseconds.
 *   <li>A name that no token has costs no hash.
 *   <li>One thread of the lowest priority computes hashes, at most {@value #HASHES_PER_SECOND} a
 *       second; {@value #MAX_WAITING} checks may wait.
 *   <li>A client's address (of IPv6 its /64) has one check at a time, which all requests with the
 *       same token share, and {@value #CLIENT_BURST} and then one a second.
 * </ul>
 *
 * Thread-safe.
 */
final class Tokens implements AutoCloseable {
  static final int MAX_WAITING = 64;
  static final int HASHES_PER_SECOND = 10;
  static final int CLIENT_BURST = 5;
  private static final int MAX_CLIENTS = 1024;
  private static final int IPV6_PREFIX_BYTES = 8;

  /** What a check has found. */
  enum Outcome {
    RIGHT,
    WRONG,
    /** This client, or all together, have too many checks: try again later. */
    TOO_MANY
  }

  /** Takes the outcome, with the account if the token is right. */
  interface Result {
    void found(Outcome outcome, Account account);
  }

  private final Path file;
  private final LongSupplier nanoTime;
  private final BiPredicate<String, byte[]> matches;
  private final ThreadPoolExecutor hashing;
  private volatile Known known;

  /** Guarded by this. */
  private final TokenBucket hashes;

  /** By client, the least recent first; guarded by this. */
  private final LinkedHashMap<ByteBuffer, TokenBucket> clients =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, TokenBucket> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  /** By client; guarded by this. */
  private final Map<ByteBuffer, Check> underWay = new HashMap<>();

  /** A token whose hash is being computed, and who waits for the outcome. */
  private static final class Check {
    final ByteBuffer digest;
    final List<Result> waiting = new ArrayList<>();

    Check(ByteBuffer digest) {
      this.digest = digest;
    }
  }

  /** What one reading of the file gives, with what was checked against it. */
  private static final class Known {
    final Map<String, AccessFile.Entry> entries;
    final Map<ByteBuffer, Account> right = new ConcurrentHashMap<>();

    Known(Map<String, AccessFile.Entry> entries) {
      this.entries = entries;
    }
  }

  /**
   * @throws IOException if the file cannot be read or is invalid; names it
   */
  Tokens(Path file) throws IOException {
    this(file, System::nanoTime, AccessFile::matches);
  }

  Tokens(Path file, LongSupplier nanoTime, BiPredicate<String, byte[]> matches) throws IOException {
    this.file = file;
    this.nanoTime = nanoTime;
    this.matches = matches;
    known = new Known(AccessFile.read(file));
    hashes = new TokenBucket(HASHES_PER_SECOND, HASHES_PER_SECOND, nanoTime.getAsLong());
    hashing =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            task -> {
              Thread thread = new Thread(task, "token-hash");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Reads the file again, and forgets every token that was found right.
   *
   * @throws IOException if it cannot be read or is invalid; then nothing changes
   */
  void reload() throws IOException {
    known = new Known(AccessFile.read(file));
  }

  /**
   * Checks a token.
   *
   * @param result gets the outcome, at once or later on another thread
   */
  void check(String token, InetAddress client, Result result) {
    Known now = known;
    ByteBuffer digest = digest(token);
    Account account = now.right.get(digest);
    if (account != null) {
      result.found(Outcome.RIGHT, account);
      return;
    }
    int dot = token.lastIndexOf('.');
    AccessFile.Entry entry = dot < 0 ? null : now.entries.get(token.substring(0, dot));
    if (entry == null) {
      result.found(Outcome.WRONG, null);
      return;
    }
    ByteBuffer key = key(client);
    switch (begin(key, digest, result)) {
      case JOINED:
        return;
      case REFUSED:
        result.found(Outcome.TOO_MANY, null);
        return;
      default:
    }
    String secret = token.substring(dot + 1);
    try {
      hashing.execute(
          () -> {
            boolean right = matches.test(secret, entry.hash);
            if (right) {
              now.right.put(digest, entry.account);
            }
            end(key, right ? Outcome.RIGHT : Outcome.WRONG, right ? entry.account : null);
          });
    } catch (RejectedExecutionException e) {
      end(key, Outcome.TOO_MANY, null);
    }
  }

  private enum Start {
    BEGUN,
    JOINED,
    REFUSED
  }

  private synchronized Start begin(ByteBuffer client, ByteBuffer digest, Result result) {
    Check present = underWay.get(client);
    if (present != null) {
      if (!present.digest.equals(digest)) {
        return Start.REFUSED;
      }
      present.waiting.add(result);
      return Start.JOINED;
    }
    long now = nanoTime.getAsLong();
    TokenBucket own = clients.computeIfAbsent(client, any -> new TokenBucket(1, CLIENT_BURST, now));
    if (!own.take(now) || !hashes.take(now)) {
      return Start.REFUSED;
    }
    Check check = new Check(digest);
    check.waiting.add(result);
    underWay.put(client, check);
    return Start.BEGUN;
  }

  private void end(ByteBuffer client, Outcome outcome, Account account) {
    Check ended;
    synchronized (this) {
      ended = underWay.remove(client);
    }
    ended.waiting.forEach(result -> result.found(outcome, account));
  }

  private static ByteBuffer key(InetAddress client) {
    byte[] address = client.getAddress();
    return ByteBuffer.wrap(
        client instanceof Inet6Address ? Arrays.copyOf(address, IPV6_PREFIX_BYTES) : address);
  }

  private static ByteBuffer digest(String token) {
    try {
      return ByteBuffer.wrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() {
    hashing.shutdownNow();
  }
}
