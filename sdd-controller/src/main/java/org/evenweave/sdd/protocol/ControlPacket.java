package org.evenweave.sdd.protocol;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.wire.Action;
import org.evenweave.sdd.protocol.wire.MessageHeaderEncoder;
import org.evenweave.sdd.protocol.wire.StartStopEncoder;

/**
 * The control packet of tight coupling (Tewari 2015, section 5.4.1): START and STOP commands for
 * one host in one datagram, with a tag that proves who sent it.
 *
 * <p>The tag is the first half of HMAC-SHA-256 (RFC 2104, truncated as its section 5 allows). The
 * sequence number in what is tagged lets the host refuse replays and count losses. Reused from
 * datagram to datagram without allocating; not thread-safe.
 */
public final class ControlPacket {
  /** Of a command that holds until the next. */
  public static final long FOREVER_NS = Long.MAX_VALUE;

  static final int TAG_BYTES = 16;
  private static final String ALGORITHM = "HmacSHA256";

  /** The most commands that fit a datagram. */
  public static final int MAX_COMMANDS =
      (Limits.MAX_DATAGRAM_BYTES
              - TAG_BYTES
              - MessageHeaderEncoder.ENCODED_LENGTH
              - StartStopEncoder.BLOCK_LENGTH
              - StartStopEncoder.CommandsEncoder.sbeHeaderSize())
          / StartStopEncoder.CommandsEncoder.sbeBlockLength();

  private final byte[] bytes = new byte[Limits.MAX_DATAGRAM_BYTES];
  private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final StartStopEncoder message = new StartStopEncoder();
  private final Mac mac;
  private final byte[] fullTag;
  private final long sessionId;
  private long lastSequence;

  private final int[] queues = new int[MAX_COMMANDS];
  private final Action[] actions = new Action[MAX_COMMANDS];
  private final long[] untilNs = new long[MAX_COMMANDS];
  private int commands;

  /**
   * @param key the session's; kept inside
   */
  public ControlPacket(long sessionId, byte[] key) {
    this.sessionId = sessionId;
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
    }
    fullTag = new byte[mac.getMacLength()];
  }

  /**
   * Adds a START.
   *
   * @param until when the queue closes by itself, or {@link #FOREVER_NS}
   */
  public void start(int queue, long until) {
    add(queue, Action.START, until);
  }

  /** Adds a STOP. */
  public void stop(int queue) {
    add(queue, Action.STOP, FOREVER_NS);
  }

  private void add(int queue, Action action, long until) {
    Ranges.between(commands, 0, MAX_COMMANDS - 1L, "commands");
    queues[commands] = Ranges.queue(queue);
    actions[commands] = action;
    untilNs[commands] = until;
    commands++;
  }

  /**
   * Makes a datagram of the commands, which are then forgotten. Without any it is a heartbeat.
   *
   * @param period the current one
   * @param timeNs now
   * @return its length; it starts at 0 of {@link #bytes}
   */
  public int seal(long period, long timeNs) {
    message
        .wrapAndApplyHeader(buffer, 0, header)
        .sessionId(sessionId)
        .sequence(++lastSequence)
        .period(period)
        .timeNs(timeNs);
    StartStopEncoder.CommandsEncoder group = message.commandsCount(commands);
    for (int i = 0; i < commands; i++) {
      group.next().queue(queues[i]).action(actions[i]).untilNs(untilNs[i]);
    }
    commands = 0;
    int length = MessageHeaderEncoder.ENCODED_LENGTH + message.encodedLength();
    mac.update(bytes, 0, length);
    try {
      mac.doFinal(fullTag, 0);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("the tag has the length that it says", e);
    }
    System.arraycopy(fullTag, 0, bytes, length, TAG_BYTES);
    return length + TAG_BYTES;
  }

  /** Holds the datagram that was sealed last. */
  public byte[] bytes() {
    return bytes;
  }

  /** The sequence number of the last datagram, 0 before the first. */
  public long lastSequence() {
    return lastSequence;
  }
}
