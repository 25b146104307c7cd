package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;

/**
 * The OpenFlow version of one connection. Everything else in this package writes and reads OpenFlow
 * 1.3, which openflowj does well; where the switch speaks 1.5, {@link ToOpenFlow15} and {@link
 * FromOpenFlow15} stand between. (openflowj's own 1.5 can neither number the buckets of a group nor
 * read or write a property of one, and those are what 1.5 is wanted for.)
 *
 * <p>What 1.5 gives is a hash of our choice: the group property "selection method" of Netronome,
 * which Open vSwitch takes in 1.5 only (ofputil_decode_group_mod in its lib/ofp-group.c), with the
 * method dp_hash and a basis. Without it Open vSwitch 3.1 hashes all switches' groups alike, and
 * without UDP ports.
 *
 * <p>Written on the channel's event loop before the connection is up, and not again.
 */
final class Dialect {
  private volatile int version = OpenFlow13.WIRE_VERSION;
  private volatile boolean seedsHash;
  private volatile int basis;

  /** The version on the wire. */
  int version() {
    return version;
  }

  /** Both sides know this version. */
  void agreeOn(int agreed) {
    version = agreed;
  }

  boolean isOpenFlow15() {
    return version == OpenFlow15.WIRE_VERSION;
  }

  /** Groups shall have a hash basis from now on, one that differs from switch to switch. */
  void seedHash(long datapathId) {
    // Fibonacci hashing: neighbouring ids get bases that differ in many bits.
    basis = (int) ((datapathId * 0x9E37_79B9_7F4A_7C15L) >>> 32);
    seedsHash = true;
  }

  /** The switch does not take the property. */
  void leaveHash() {
    seedsHash = false;
  }

  /** Whether groups have a hash basis of this switch's own, and hash UDP ports. */
  boolean seedsHash() {
    return seedsHash;
  }

  /** What the property "selection method" holds as its parameter, if groups have it. */
  long selectionMethodParameter() {
    // The upper half is the number of the hash algorithm in Open vSwitch: 0, over L3 and L4.
    return Integer.toUnsignedLong(basis);
  }

  /** Changes a message of openflowj's, alone in its buffer, to what goes to the switch. */
  void toWire(ByteBuf message) {
    HashedTable.toWire(message);
    SecondLookup.toWire(message);
    if (isOpenFlow15()) {
      new ToOpenFlow15(this).translate(message);
    }
  }

  /**
   * A message of the switch as openflowj reads it.
   *
   * @return null for a message that has no form in OpenFlow 1.3, and may be ignored
   */
  ByteBuf fromWire(ByteBuf frame) {
    return isOpenFlow15() ? new FromOpenFlow15(this).translate(frame) : frame;
  }
}
