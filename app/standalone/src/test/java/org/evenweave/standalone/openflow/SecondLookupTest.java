package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class SecondLookupTest {
  /** Open vSwitch 3.1's own encoding of resubmit(,0). */
  private static final String RESUBMIT = "ffff001000002320000efff800000000";

  private static ByteBuf sent(FlowRule rule) {
    ByteBuf bytes = Unpooled.buffer();
    FlowMessages.add(rule, 1).writeTo(bytes);
    new Dialect().toWire(bytes);
    return bytes;
  }

  @Test
  void aRuleThatAdmitsSourcesEndsWithOpenVswitchsAction() {
    FlowRule admits = GuardRules.admitSource(Ipv4Prefix.parse("10.0.0.0/24"));
    ByteBuf bytes = sent(admits);
    assertTrue(ByteBufUtil.hexDump(bytes).endsWith(RESUBMIT));
    assertTrue(SecondLookup.isIn(bytes));
    assertTrue(SecondLookup.hasStandIn(SecondLookup.fromWire(bytes)));
    assertFalse(SecondLookup.hasStandIn(bytes));
  }

  @Test
  void aCopyTakesNoMemoryOfTheConnectionsAllocator() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    ByteBuf described = allocator.buffer();
    described.writeBytes(sent(GuardRules.admitSource(Ipv4Prefix.parse("10.0.0.0/24"))));
    SecondLookup.fromWire(described.slice());
    described.release();
    assertEquals(0, allocator.metric().usedDirectMemory());
    assertEquals(0, allocator.metric().usedHeapMemory());
  }

  @Test
  void otherRulesAreSentAsTheyAre() {
    FlowRule route = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 3);
    assertEquals(
        ByteBufUtil.hexDump(Wire.bytes(FlowMessages.add(route, 1))),
        ByteBufUtil.hexDump(sent(route)));
  }
}
