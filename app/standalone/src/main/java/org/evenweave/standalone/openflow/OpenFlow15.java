package org.evenweave.standalone.openflow;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers of OpenFlow 1.5.1 (sections 7.1, 7.3.4.3, 7.3.5) that both directions need. */
final class OpenFlow15 {
  /** The version on the wire. */
  static final int WIRE_VERSION = 6;

  static final int TYPE_PACKET_IN = 10;
  static final int TYPE_FLOW_REMOVED = 11;
  static final int TYPE_PORT_STATUS = 12;
  static final int TYPE_PACKET_OUT = 13;
  static final int TYPE_GROUP_MOD = 15;
  static final int TYPE_MULTIPART_REQUEST = 18;
  static final int TYPE_MULTIPART_REPLY = 19;
  static final int TYPE_SET_ASYNC = 28;

  /** The last type of message that 1.3 has too. */
  static final int LAST_TYPE_OF_13 = 29;

  static final int MULTIPART_FLOW = 1;
  static final int MULTIPART_PORT_STATS = 4;
  static final int MULTIPART_GROUP_DESC = 7;
  static final int MULTIPART_PORT_DESC = 13;

  /** Header, multipart type, flags, padding; the same in 1.3. */
  static final int MULTIPART_BYTES = OpenFlow13.HEADER_BYTES + 8;

  /** OFPACPT_PACKET_IN_MASTER: what of packets is sent to a master (section 7.3.10). */
  static final int ASYNC_PACKET_IN_MASTER = 1;

  /** All reasons of packet-ins: no match, actions of all kinds, invalid TTL, packet-out. */
  static final int ALL_PACKET_IN_REASONS = 0x3f;

  static final int BUCKET_WEIGHT = 0;
  static final int BUCKET_WATCH_PORT = 1;
  static final int BUCKET_WATCH_GROUP = 2;

  /** Header of a bucket in 1.3: length, weight, watch port, watch group, padding. */
  static final int BUCKET13_BYTES = 16;

  /** Length 24 where both fields have headers of four bytes. */
  static final int ACTION_COPY_FIELD = 28;

  static final int GROUP_EXPERIMENTER = 0xffff;
  static final int NETRONOME = 0x0000154d;
  static final int SELECTION_METHOD = 1;

  /** Type, length, experimenter, its type, padding, name, parameter. */
  static final int SELECTION_METHOD_BYTES = 40;

  private static final int METHOD_NAME_BYTES = 16;

  /** Header of a rule's statistic: class OFPXSC_OPENFLOW_BASIC, field, length (section 7.2.4). */
  static final int STATISTIC_DURATION = 0x8002_0000 | 0 << 9 | 8;

  static final int STATISTIC_PACKETS = 0x8002_0000 | 4 << 9 | 8;

  static final int STATISTIC_BYTES = 0x8002_0000 | 5 << 9 | 8;

  private OpenFlow15() {}

  /** The selection method that Open vSwitch can seed, as the property names it. */
  static byte[] dpHash() {
    return Arrays.copyOf("dp_hash".getBytes(StandardCharsets.US_ASCII), METHOD_NAME_BYTES);
  }
}
