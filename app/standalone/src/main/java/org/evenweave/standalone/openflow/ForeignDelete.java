package org.evenweave.standalone.openflow;

import com.google.common.hash.PrimitiveSink;
import io.netty.buffer.ByteBuf;
import org.evenweave.engine.foreign.ForeignRule;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Deletes a rule by its match as the switch described it, which may have fields that openflowj does
 * not know. All else of the message is openflowj's.
 */
final class ForeignDelete implements OFMessage {
  /** Of a flow-mod, up to its match. */
  private static final int MATCH_AT = 48;

  private final OFFlowDeleteStrict message;
  private final byte[] match;

  ForeignDelete(ForeignRule rule, long xid) {
    match = rule.wireMatch();
    message =
        OpenFlow13.FACTORY
            .buildFlowDeleteStrict()
            .setXid(xid)
            .setCookie(U64.of(rule.cookie()))
            .setCookieMask(OpenFlow13.EXACT_COOKIE)
            .setTableId(TableId.of(rule.table()))
            .setPriority(rule.priority())
            .setMatch(OpenFlow13.FACTORY.matchWildcardAll())
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .setBufferId(OFBufferId.NO_BUFFER)
            .build();
  }

  @Override
  public void writeTo(ByteBuf bytes) {
    int start = bytes.writerIndex();
    message.writeTo(bytes);
    bytes.writerIndex(start + MATCH_AT);
    bytes.writeBytes(match).writeZero((8 - match.length % 8) % 8);
    bytes.setShort(start + 2, bytes.writerIndex() - start);
  }

  @Override
  public OFVersion getVersion() {
    return message.getVersion();
  }

  @Override
  public OFType getType() {
    return message.getType();
  }

  @Override
  public long getXid() {
    return message.getXid();
  }

  @Override
  public boolean equalsIgnoreXid(Object other) {
    return equals(other);
  }

  @Override
  public int hashCodeIgnoreXid() {
    return hashCode();
  }

  @Override
  public void putTo(PrimitiveSink sink) {
    message.putTo(sink);
  }

  @Override
  public Builder createBuilder() {
    return message.createBuilder();
  }
}
