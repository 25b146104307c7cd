package org.evenweave.sdd.protocol;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.evenweave.sdd.protocol.wire.GroupSizeEncodingDecoder;

/**
 * The shape of one message: a block of fields, groups of entries, data of variable length.
 *
 * <p>The generated decoders trust lengths that the message itself states. Walking over the layout
 * first makes that safe: after {@link #end} every field that a decoder can read lies within the
 * message. The walk allocates nothing and takes time in proportion to the message's entries.
 */
final class Layout {
  private static final int DIMENSION_BYTES = GroupSizeEncodingDecoder.ENCODED_LENGTH;
  private static final int LENGTH_BYTES = 2;

  private final String name;
  private final int blockBytes;
  private final Group[] groups;
  private final Data[] data;

  Layout(String name, int blockBytes, Group[] groups, Data... data) {
    this.name = name;
    this.blockBytes = blockBytes;
    this.groups = groups;
    this.data = data;
  }

  /** A group of entries, each with a block and data. */
  static final class Group {
    private final String name;
    private final int entryBytes;
    private final int maxEntries;
    private final Data[] data;
    private int grownIn;
    private int entryBytesBefore;

    Group(String name, int entryBytes, int maxEntries, Data... data) {
      this.name = name;
      this.entryBytes = entryBytes;
      this.maxEntries = maxEntries;
      this.data = data;
    }

    /** Senders of a version of the schema below this one have shorter entries. */
    Group grownIn(int version, int bytesBefore) {
      grownIn = version;
      entryBytesBefore = bytesBefore;
      return this;
    }

    private int entryBytes(int version) {
      return version < grownIn ? entryBytesBefore : entryBytes;
    }
  }

  /** A field of variable length. */
  static final class Data {
    private final String name;
    private final int maxBytes;

    Data(String name, int maxBytes) {
      this.name = name;
      this.maxBytes = maxBytes;
    }
  }

  static Group[] groups(Group... groups) {
    return groups;
  }

  /** The message's name in paths of errors. */
  String name() {
    return name;
  }

  /**
   * Where the message ends.
   *
   * @param offset where its block starts, behind the header
   * @param statedBlockBytes the block's length as the header states it
   * @param version the sender's, of the schema
   * @param limit where the frame ends
   * @throws ProtocolException if the message does not fit the frame, or its shape is another
   */
  int end(DirectBuffer buffer, int offset, int statedBlockBytes, int version, int limit)
      throws ProtocolException {
    if (statedBlockBytes < blockBytes) {
      throw new ProtocolException(
          name, "its block has " + statedBlockBytes + " bytes, less than " + blockBytes);
    }
    int position = advance(offset, statedBlockBytes, limit, name);
    for (Group group : groups) {
      position = endOfGroup(group, version, buffer, position, limit);
    }
    for (Data field : data) {
      position = endOfData(field, buffer, position, limit, name);
    }
    return position;
  }

  private int endOfGroup(Group group, int version, DirectBuffer buffer, int offset, int limit)
      throws ProtocolException {
    String path = name + "." + group.name;
    int position = advance(offset, DIMENSION_BYTES, limit, path);
    int entryBytes = unsigned16(buffer, offset);
    int entries = unsigned16(buffer, offset + LENGTH_BYTES);
    if (entries > group.maxEntries) {
      throw new ProtocolException(path, entries + " entries are more than " + group.maxEntries);
    }
    // An encoder of a newer version makes entries longer, also those of a group without any.
    if (entryBytes < group.entryBytes(version)) {
      throw new ProtocolException(
          path, "entries have " + entryBytes + " bytes, less than " + group.entryBytes(version));
    }
    for (int entry = 0; entry < entries; entry++) {
      position = advance(position, entryBytes, limit, path);
      for (Data field : group.data) {
        position = endOfData(field, buffer, position, limit, path);
      }
    }
    return position;
  }

  private static int endOfData(Data field, DirectBuffer buffer, int offset, int limit, String path)
      throws ProtocolException {
    int position = advance(offset, LENGTH_BYTES, limit, path);
    int bytes = unsigned16(buffer, offset);
    if (bytes > field.maxBytes) {
      throw new ProtocolException(
          path + "." + field.name, bytes + " bytes are more than " + field.maxBytes);
    }
    return advance(position, bytes, limit, path);
  }

  private static int advance(int position, int bytes, int limit, String path)
      throws ProtocolException {
    if (bytes > limit - position) {
      throw new ProtocolException(path, "extends beyond the end of the message");
    }
    return position + bytes;
  }

  private static int unsigned16(DirectBuffer buffer, int offset) {
    return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
  }
}
