package org.evenweave.sdd.session;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.MessageReader;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.StartStopDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;

/** Reads the datagrams of one session, as a host does; not thread-safe. */
public final class ControlPacketReader {
  private static final int TAG_BYTES = 16;

  private final long sessionId;
  private final Mac mac;
  private final ReplayWindow window = new ReplayWindow();

  /** Of the session that begins so. */
  public ControlPacketReader(WelcomeDecoder welcome) {
    byte[] key = new byte[WelcomeDecoder.datagramKeyLength()];
    welcome.getDatagramKey(key, 0, key.length);
    sessionId = welcome.sessionId();
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Which sequences came. */
  public ReplayWindow window() {
    return window;
  }

  /** Null if the datagram is not of this session, or has come before. */
  public StartStopDecoder read(byte[] datagram) {
    int length = datagram.length - TAG_BYTES;
    StartStopDecoder message = length > 0 ? authentic(datagram, length) : null;
    boolean counts =
        message != null && message.sessionId() == sessionId && window.accept(message.sequence());
    return counts ? message : null;
  }

  private StartStopDecoder authentic(byte[] datagram, int length) {
    mac.update(datagram, 0, length);
    byte[] tag = Arrays.copyOf(mac.doFinal(), TAG_BYTES);
    if (!MessageDigest.isEqual(tag, Arrays.copyOfRange(datagram, length, datagram.length))) {
      return null;
    }
    UnsafeBuffer buffer = new UnsafeBuffer(datagram, 0, length);
    MessageReader reader = new MessageReader();
    try {
      if (reader.open(buffer, 0, length) != StartStopDecoder.TEMPLATE_ID) {
        return null;
      }
    } catch (ProtocolException e) {
      return null;
    }
    return new StartStopDecoder()
        .wrap(buffer, reader.bodyOffset(), reader.blockLength(), reader.version());
  }
}
