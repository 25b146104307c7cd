package org.evenweave.standalone.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Set;
import org.evenweave.engine.packets.KeyedLimit;
import org.evenweave.engine.rest.AuditEntry;
import org.evenweave.schema.FileProblem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a line of JSON for every request that changes something: who, from where, what, with
 * which result. A line is in the file before the client has its answer. When the file has reached
 * its size it becomes {@code FILE.1}, that one {@code FILE.2}, and so on; the oldest goes. A file
 * that somebody else has moved away or deleted is created again for the next line.
 *
 * <p>Refused attempts have lines too, of one user or host one in {@value #REFUSAL_SECONDS} s with
 * the number of omitted ones, so that they cannot push out what happened. Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  private static final long MAX_BYTES = 16L << 20;
  private static final int KEPT_FILES = 9;
  private static final long REFUSAL_SECONDS = 10;
  private static final int MAX_REFUSED = 64;

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  private final Path file;
  private final long maxBytes;
  private final Clock clock;
  private final KeyedLimit<String> refusals =
      new KeyedLimit<>(REFUSAL_SECONDS * 1_000_000_000L, MAX_REFUSED);

  /** Null after a failure; guarded by this. */
  private FileChannel out;

  /** Which file is open, whatever its name is by now. */
  private Object opened;

  private volatile String problem = "";

  /**
   * Opens the file, whose lines stay.
   *
   * @throws IOException if that is impossible; names the file
   */
  public AuditLog(Path file) throws IOException {
    this(file, MAX_BYTES, Clock.systemUTC());
  }

  AuditLog(Path file, long maxBytes, Clock clock) throws IOException {
    this.file = file;
    this.maxBytes = maxBytes;
    this.clock = clock;
    try {
      open();
    } catch (FileSystemException e) {
      throw new IOException("the audit log " + file + " cannot be opened: " + FileProblem.of(e), e);
    }
  }

  private synchronized void open() throws IOException {
    out =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    opened = key();
  }

  /** Identifies what has the log's name now; null if nothing has it. */
  private Object key() throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Writes a line. If that is impossible, the controller's log says so, and {@link #problem}.
   *
   * @param status of HTTP
   * @param body of the request; a long one goes in as its SHA-256
   */
  public void add(
      Account who, String from, String method, String uri, int status, ByteBuffer body) {
    ObjectNode line = line(who.getName(), from, method, uri, status);
    line.put("role", who.role().text()).put("by", who.proof());
    AuditEntry.addBody(line, body);
    write(line);
  }

  /**
   * Writes a line for an attempt that was refused before its body was read, unless there are too
   * many.
   *
   * @param who the name; empty if it is not known
   * @param host of the client, without its port
   */
  public void addRefused(
      String who, String host, String from, String method, String uri, int status) {
    long leftOut = refusals.pass(who.isEmpty() ? host : who, System.nanoTime());
    if (leftOut >= 0) {
      ObjectNode line = line(who, from, method, uri, status);
      if (leftOut > 0) {
        line.put("leftOut", leftOut);
      }
      write(line);
    }
  }

  private ObjectNode line(String who, String from, String method, String uri, int status) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("at", clock.instant().toString()).put("who", who);
    return line.setAll(AuditEntry.of(from, method, uri, status));
  }

  private synchronized void write(ObjectNode line) {
    byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      if (out != null && !opened.equals(key())) {
        closeQuietly();
      }
      if (out == null) {
        open();
      }
      if (out.size() > 0 && out.size() + text.length > maxBytes) {
        rotate();
      }
      ByteBuffer bytes = ByteBuffer.wrap(text);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      problem = "";
    } catch (IOException e) {
      closeQuietly();
      problem = "the audit log " + file + " cannot be written: " + e.getMessage();
      LOG.error("{}; lost entry: {}", problem, line);
    }
  }

  private void rotate() throws IOException {
    out.close();
    for (int number = KEPT_FILES - 1; number >= 0; number--) {
      Path older = number == 0 ? file : numbered(number);
      if (Files.exists(older)) {
        Files.move(older, numbered(number + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    open();
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /** Why the last line could not be written, a sentence; empty if it was. */
  public String problem() {
    return problem;
  }

  private void closeQuietly() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      LOG.debug("closing {}", file, e);
    }
    out = null;
  }

  @Override
  public synchronized void close() {
    closeQuietly();
  }
}
