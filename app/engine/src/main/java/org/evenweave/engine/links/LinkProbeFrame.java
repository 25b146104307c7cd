package org.evenweave.engine.links;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Probes of links as LLDP frames (IEEE 802.1AB), for which switches have a rule to the controller
 * in every runtime, and which any LLDP agent on a host may read: the chassis id is the switch's id,
 * the port id its port number. A frame is padded with zeros behind its last TLV to any size, as
 * IS-IS pads its hellos (ISO 10589, 8.2.3; RFC 3719, section 4).
 *
 * <p>An organisation's own TLV holds the round, the size of the frame and a signature (HMAC-SHA-256
 * with a key that this object alone knows). So a host cannot invent a probe, another controller's
 * probes are not taken for ours, one that was changed on its way is none, and one that was recorded
 * is of use only as long as its round is accepted.
 */
public final class LinkProbeFrame {
  /** What probes are for; each purpose has a source address of its own. */
  public enum Purpose {
    /** To find links. */
    DISCOVERY((byte) 1, (byte) 201, (short) 4),
    /** To measure links that are known. */
    MEASUREMENT((byte) 2, (byte) 200, (short) 10);

    private final byte[] source;

    /** None that ONOS's own discovery has a meaning for, whatever the organisation. */
    private final byte subtype;

    private final short ttlSeconds;

    Purpose(byte sourceEnd, byte subtype, short ttlSeconds) {
      source = new byte[] {0x02, 'E', 'W', 0, 0, sourceEnd};
      this.subtype = subtype;
      this.ttlSeconds = ttlSeconds;
    }
  }

  /** Ethernet header: two addresses and the type. */
  static final int HEADER_BYTES = 14;

  /** Ethernet's minimum without its checksum; a probe is longer if its contents are. */
  public static final int LEAST_BYTES = 60;

  private static final String HMAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int SIGNATURE_BYTES = 32;

  /** A locally administered address's first three bytes stand for the organisation. */
  private static final int ORGANISATION_BYTES = 3;

  private static final int ETHERTYPE_LLDP = 0x88cc;

  /** The nearest bridge's group address: no bridge forwards it. */
  private static final byte[] NEAREST_BRIDGE = {0x01, (byte) 0x80, (byte) 0xc2, 0, 0, 0x0e};

  private static final int CHASSIS_ID = 1;
  private static final int PORT_ID = 2;
  private static final int TIME_TO_LIVE = 3;
  private static final int ORGANISATIONAL = 127;

  /** Of both ids (802.1AB, tables 8-2 and 8-3). */
  private static final int LOCALLY_ASSIGNED = 7;

  private static final int TYPE_SHIFT = 9;
  private static final int OURS_BYTES =
      ORGANISATION_BYTES + 1 + Long.BYTES + Integer.BYTES + SIGNATURE_BYTES;

  private final Purpose purpose;
  private final Mac mac;

  /** With a key that nobody else has. */
  public LinkProbeFrame(Purpose purpose) {
    this(purpose, randomKey());
  }

  private static byte[] randomKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /**
   * @param key known to nobody else
   */
  LinkProbeFrame(Purpose purpose, byte[] key) {
    this.purpose = purpose;
    try {
      mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }

  /** What a probe says. */
  public static final class Probe {
    public final SwitchPort from;
    public final long round;

    /** Of the Ethernet frame without its checksum. */
    public final int bytes;

    public Probe(SwitchPort from, long round, int bytes) {
      this.from = from;
      this.round = round;
      this.bytes = bytes;
    }
  }

  /** Whether a frame is LLDP. */
  public static boolean isLldp(byte[] frame) {
    return frame.length >= HEADER_BYTES
        && Short.toUnsignedInt(ByteBuffer.wrap(frame).getShort(HEADER_BYTES - 2)) == ETHERTYPE_LLDP;
  }

  /** Whether a frame says that it is a probe, for whatever purpose: it must reach the engine. */
  public static boolean mayBeOne(byte[] frame) {
    return mayBeOne(frame, Purpose.DISCOVERY) || mayBeOne(frame, Purpose.MEASUREMENT);
  }

  /** Whether a frame is LLDP and says that it is a probe for some purpose. */
  static boolean mayBeOne(byte[] frame, Purpose purpose) {
    return isLldp(frame) && Arrays.equals(purpose.source, Arrays.copyOfRange(frame, 6, 12));
  }

  /** The frame of a probe: as long as it says, or longer if its contents are. */
  public byte[] write(Probe probe) {
    byte[] id = probe.from.switchId().getBytes(StandardCharsets.UTF_8);
    byte[] port = Integer.toString(probe.from.number()).getBytes(StandardCharsets.US_ASCII);
    int contents = HEADER_BYTES + 3 + id.length + 3 + port.length + 4 + 2 + OURS_BYTES + 2;
    ByteBuffer frame = ByteBuffer.allocate(Math.max(contents, Math.max(probe.bytes, LEAST_BYTES)));
    frame.put(NEAREST_BRIDGE).put(purpose.source).putShort((short) ETHERTYPE_LLDP);
    tlv(frame, CHASSIS_ID, id.length + 1).put((byte) LOCALLY_ASSIGNED).put(id);
    tlv(frame, PORT_ID, port.length + 1).put((byte) LOCALLY_ASSIGNED).put(port);
    tlv(frame, TIME_TO_LIVE, Short.BYTES).putShort(purpose.ttlSeconds);
    tlv(frame, ORGANISATIONAL, OURS_BYTES).put(purpose.source, 0, ORGANISATION_BYTES);
    frame.put(purpose.subtype);
    frame.putLong(probe.round).putInt(probe.bytes).put(signature(probe));
    return frame.array();
  }

  private static ByteBuffer tlv(ByteBuffer frame, int type, int bytes) {
    return frame.putShort((short) (type << TYPE_SHIFT | bytes));
  }

  /** The probe in a frame; null if this did not make it, or it is not as it was sent. */
  public Probe read(byte[] frame) {
    if (!mayBeOne(frame, purpose)) {
      return null;
    }
    try {
      ByteBuffer rest = ByteBuffer.wrap(frame, HEADER_BYTES, frame.length - HEADER_BYTES);
      String id = new String(value(rest, CHASSIS_ID), StandardCharsets.UTF_8).substring(1);
      String port = new String(value(rest, PORT_ID), StandardCharsets.US_ASCII).substring(1);
      value(rest, TIME_TO_LIVE);
      ByteBuffer ours = ByteBuffer.wrap(value(rest, ORGANISATIONAL));
      ours.position(ORGANISATION_BYTES + 1);
      Probe probe =
          new Probe(new SwitchPort(id, Integer.parseInt(port)), ours.getLong(), ours.getInt());
      // The length is the sender's word: a frame that is shorter is not worth an array of it.
      return probe.bytes <= frame.length && isUnchanged(frame, write(probe)) ? probe : null;
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // Cut off or changed on its way, or made by somebody else.
    }
  }

  /** But for the destination, which no bridge changes; padding may follow. */
  private static boolean isUnchanged(byte[] frame, byte[] sent) {
    byte[] whole = Arrays.copyOf(sent, Math.max(sent.length, frame.length));
    return frame.length >= sent.length
        && MessageDigest.isEqual(
            Arrays.copyOfRange(whole, 6, whole.length), Arrays.copyOfRange(frame, 6, frame.length));
  }

  private static byte[] value(ByteBuffer from, int type) {
    int header = Short.toUnsignedInt(from.getShort());
    if (header >> TYPE_SHIFT != type) {
      throw new IllegalArgumentException("TLV of type " + (header >> TYPE_SHIFT));
    }
    byte[] value = new byte[header & ((1 << TYPE_SHIFT) - 1)];
    from.get(value);
    return value;
  }

  private byte[] signature(Probe probe) {
    ByteBuffer numbers = ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES);
    numbers.putLong(probe.round).putInt(probe.from.number()).putInt(probe.bytes);
    mac.update(numbers.array());
    return mac.doFinal(probe.from.switchId().getBytes(StandardCharsets.UTF_8));
  }
}
