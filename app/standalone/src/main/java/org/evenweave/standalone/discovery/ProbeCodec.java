package org.evenweave.standalone.discovery;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.LLDP;
import org.onlab.packet.LLDPOrganizationalTLV;
import org.onlab.packet.LLDPTLV;

/**
 * Link probes as LLDP frames (IEEE 802.1AB), which any LLDP agent on a host may read: the chassis
 * id is the switch's id, the port id its port number.
 *
 * <p>An organisation's own TLV holds the round in which the probe was sent and a signature
 * (HMAC-SHA-256 of round, port and switch, with a key that this process alone knows). So a host can
 * not invent a probe, another controller's probes are not taken for ours, and one that was recorded
 * is of use only as long as its round is accepted.
 */
final class ProbeCodec {
  /** The longest switch id a chassis id holds (802.1AB, 8.5.2). */
  static final int MAX_ID_BYTES = 255;

  private static final String HMAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int SIGNATURE_BYTES = 32;
  private static final byte CHASSIS_ID = 1;
  private static final byte PORT_ID = 2;
  private static final byte TIME_TO_LIVE = 3;

  /** "Locally assigned" is subtype 7 for both ids (802.1AB, tables 8-2 and 8-3). */
  private static final byte LOCALLY_ASSIGNED = 7;

  private static final short TTL_SECONDS = 4;

  /** The nearest bridge's group address: no bridge forwards it. */
  private static final byte[] NEAREST_BRIDGE = {0x01, (byte) 0x80, (byte) 0xc2, 0, 0, 0x0e};

  /** A locally administered address and, from it, the organisation's id. */
  private static final byte[] SOURCE = {0x02, 'E', 'W', 0, 0, 1};

  private static final byte[] ORGANISATION = Arrays.copyOf(SOURCE, 3);
  private static final byte SUBTYPE = 1;

  private final Mac mac;

  ProbeCodec() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    try {
      mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }

  /** The contents of a probe. */
  static final class Probe {
    final String switchId;
    final int port;
    final long round;

    Probe(String switchId, int port, long round) {
      this.switchId = switchId;
      this.port = port;
      this.round = round;
    }
  }

  /** The Ethernet frame of a probe. */
  byte[] write(Probe probe) {
    byte[] id = probe.switchId.getBytes(StandardCharsets.UTF_8);
    byte[] port = Integer.toString(probe.port).getBytes(StandardCharsets.US_ASCII);
    LLDP lldp = new LLDP();
    lldp.setChassisId(tlv(CHASSIS_ID, locally(id)));
    lldp.setPortId(tlv(PORT_ID, locally(port)));
    lldp.setTtl(tlv(TIME_TO_LIVE, ByteBuffer.allocate(2).putShort(TTL_SECONDS).array()));
    ByteBuffer ours = ByteBuffer.allocate(Long.BYTES + SIGNATURE_BYTES);
    ours.putLong(probe.round).put(signature(probe));
    LLDPOrganizationalTLV signed = new LLDPOrganizationalTLV();
    signed.setOUI(ORGANISATION);
    signed.setSubType(SUBTYPE);
    signed.setInfoString(ours.array());
    signed.setLength((short) (ORGANISATION.length + 1 + ours.capacity()));
    lldp.addOptionalTLV(signed);
    Ethernet frame = new Ethernet();
    frame.setDestinationMACAddress(NEAREST_BRIDGE);
    frame.setSourceMACAddress(SOURCE);
    frame.setEtherType(Ethernet.TYPE_LLDP);
    frame.setPad(true);
    frame.setPayload(lldp);
    return frame.serialize();
  }

  /** The probe in a frame, if this process made it. */
  Optional<Probe> read(byte[] frame) {
    try {
      Ethernet ethernet = Ethernet.deserializer().deserialize(frame, 0, frame.length);
      return ethernet.getPayload() instanceof LLDP
          ? read((LLDP) ethernet.getPayload())
          : Optional.empty();
    } catch (DeserializationException | RuntimeException e) {
      // Bytes from a host may break the parser in any way; then they are no probe.
      return Optional.empty();
    }
  }

  private Optional<Probe> read(LLDP lldp) {
    for (LLDPTLV tlv : lldp.getOptionalTLVList()) {
      if (tlv.getType() == LLDPOrganizationalTLV.ORGANIZATIONAL_TLV_TYPE) {
        ByteBuffer value = ByteBuffer.wrap(tlv.getValue());
        byte[] organisation = new byte[ORGANISATION.length];
        value.get(organisation);
        if (Arrays.equals(organisation, ORGANISATION) && value.get() == SUBTYPE) {
          return readSigned(lldp, value);
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Probe> readSigned(LLDP lldp, ByteBuffer value) {
    String id = local(lldp.getChassisId());
    int port = Integer.parseInt(local(lldp.getPortId()));
    Probe probe = new Probe(id, port, value.getLong());
    byte[] signature = new byte[SIGNATURE_BYTES];
    value.get(signature);
    return MessageDigest.isEqual(signature, signature(probe))
        ? Optional.of(probe)
        : Optional.empty();
  }

  private byte[] signature(Probe probe) {
    mac.update(ByteBuffer.allocate(12).putLong(probe.round).putInt(probe.port).array());
    return mac.doFinal(probe.switchId.getBytes(StandardCharsets.UTF_8));
  }

  private static LLDPTLV tlv(byte type, byte[] value) {
    return new LLDPTLV().setType(type).setLength((short) value.length).setValue(value);
  }

  private static byte[] locally(byte[] id) {
    return ByteBuffer.allocate(id.length + 1).put(LOCALLY_ASSIGNED).put(id).array();
  }

  private static String local(LLDPTLV tlv) {
    byte[] value = tlv.getValue();
    return new String(value, 1, value.length - 1, StandardCharsets.UTF_8);
  }
}
