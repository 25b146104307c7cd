package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.evenweave.openflow.ExpiredPacketReports;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.ver15.OFFactoryVer15;

class AsyncConfigTest {
  private static final OFFactory OF15 = OFFactoryVer15.INSTANCE;

  @Test
  void inOpenFlow15AMasterAsksForPacketsOfAllReasonsAndLeavesTheRest() throws OFParseError {
    ByteBuf message = Unpooled.wrappedBuffer(Wire.bytes(request()));
    ByteBuf sent = Unpooled.buffer().writeBytes(message);
    new ToOpenFlow15(OpenFlow15Test.dialect(7)).translate(sent);
    assertEquals("061c001000000009" + "000100080000003f", ByteBufUtil.hexDump(sent));
    assertEquals(
        OF15.buildAsyncSet()
            .setXid(9)
            .setProperties(List.of(OF15.buildAsyncConfigPropPacketInMaster().setMask(0x3f).build()))
            .build(),
        OF15.getReader().readFrom(sent));
  }

  private static OFAsyncSet request() {
    return ExpiredPacketReports.request(OpenFlow13.FACTORY, 9);
  }
}
