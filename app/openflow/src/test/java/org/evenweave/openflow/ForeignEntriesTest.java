package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.interference.RuleHeaders;
import org.evenweave.engine.port.FlowRule;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.ver13.OFFactoryVer13;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class ForeignEntriesTest {
  private static final OFFactory OF = OFFactoryVer13.INSTANCE;

  @Provide
  Arbitrary<FlowRule> rules() {
    return Any.rules(1, 1000);
  }

  @Property
  void aRuleOfTheEnginesMatchesWhatTheEngineTakesItToMatch(@ForAll("rules") FlowRule rule) {
    ForeignRule read = ForeignEntries.rule(entry(rule), 0);
    assertEquals(RuleHeaders.match(rule), read.match());
    assertEquals(rule.priority(), read.rank());
    assertTrue(ForeignEntries.isOrdinary(entry(rule)));
  }

  private static ByteBuffer entry(FlowRule rule) {
    ByteBuf bytes = Unpooled.buffer();
    OF.buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of(5))
        .setPriority(rule.priority())
        .setMatch(FlowCodec.match(OF, rule))
        .setInstructions(FlowCodec.instructions(OF, rule))
        .build()
        .writeTo(bytes);
    return bytes.nioBuffer();
  }

  /** An entry of priority 65000 and cookie 0xbad, with instructions in hex. */
  private static ByteBuffer entry(String match, String instructions) {
    String head = "00" + "00" + "00000000" + "00000000" + "fde8" + "0000" + "0000" + "0000";
    String rest = "00000000" + "0000000000000bad" + "0".repeat(32);
    String body = head + rest + match + instructions;
    int length = body.length() / 2 + 2;
    return bytes(String.format(Locale.ROOT, "%04x", length) + body);
  }

  private static ByteBuffer bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return ByteBuffer.wrap(bytes);
  }

  private static String apply(String actions) {
    return String.format(Locale.ROOT, "0004%04x00000000", 8 + actions.length() / 2) + actions;
  }

  private static final String ANY = "0001000400000000";

  @Test
  void anEntryWithoutInstructionsDrops() {
    String match = "0001000a80000a020800" + "000000000000";
    ForeignRule rule = ForeignEntries.rule(entry(match, ""), 0);
    assertEquals("priority=65000,ip actions=drop", rule.toString());
    assertEquals(0xbad, rule.cookie());
    assertEquals(10, rule.wireMatch().length);
  }

  @Test
  void aMaskedFieldHasTheBitsOfItsMask() {
    String match = "0001001680000a0208008000190" + "80a000200ffffff00" + "0000";
    ForeignRule rule = ForeignEntries.rule(entry(match, ""), 1);
    assertEquals("priority=65000,ip,nw_dst=10.0.2.0/24 actions=drop", rule.toString());
    assertEquals(64_999, rule.rank());
  }

  @Test
  void actionsOfOpenFlowAreReadInOrder() {
    String actions =
        "0018000800000000" // dec_ttl
            + "00190010800018040a000309"
            + "00000000" // set_field ipv4_dst
            + "0016000800002328" // group 9000
            + "0000001000000003ffff000000000000" // output:3
            + "00000010fffffffaffff000000000000"; // NORMAL
    String more =
        "0002001800000000"
            + "0000000000000007"
            + "00000000000000ff" // write_metadata
            + "0001000805000000"; // goto_table:5
    ForeignRule rule = ForeignEntries.rule(entry(ANY, apply(actions) + more), 0);
    assertEquals(
        "dec_ttl,set_field:nw_dst=10.0.3.9,group:9000,output:3,NORMAL,write_metadata:0x7"
            + ",goto_table:5",
        rule.actions());
    assertTrue(rule.bridges());
    assertTrue(ForeignEntries.isOrdinary(entry(ANY, apply(actions) + more)));
  }

  @Test
  void actionsOfOpenVSwitchAreReadWhereTheyCanBeTold() {
    String resubmit = "ffff001000002320000efff805000000";
    String load = "ffff0018000023200007" + "001f" + "00010004" + "0000000000000009";
    String move = "ffff001800002320000600200000000000000e0400001004";
    ForeignRule rule = ForeignEntries.rule(entry(ANY, apply(resubmit + load + move)), 0);
    assertEquals("resubmit(,5),set_field:reg0=0x9,move", rule.actions());
    assertEquals(
        List.of(
            ForeignAction.Kind.RESUBMIT, ForeignAction.Kind.SET_FIELD, ForeignAction.Kind.UNKNOWN),
        List.of(
            rule.applied().get(0).kind(),
            rule.applied().get(1).kind(),
            rule.applied().get(2).kind()));
    assertFalse(ForeignEntries.isOrdinary(entry(ANY, apply(move))));
  }

  @Test
  void aVendorThatIsNotKnownIsNamed() {
    ForeignRule rule = ForeignEntries.rule(entry(ANY, apply("ffff000800abcdef")), 0);
    assertEquals("action of vendor 0xabcdef", rule.actions());
    assertEquals(ForeignAction.Kind.UNKNOWN, rule.applied().get(0).kind());
  }

  @Test
  void aMeterMayDoAnything() {
    ForeignRule rule = ForeignEntries.rule(entry(ANY, "0006000800000003"), 0);
    assertEquals("meter:3", rule.actions());
  }

  @Test
  void fieldsOfVendorsAreKeptAsBits() {
    String match = "0001000c00010604" + "00000005" + "00000000";
    assertEquals("reg3=0x5", ForeignEntries.rule(entry(match, ""), 0).match().toString());
    assertFalse(ForeignEntries.isOrdinary(entry(match, "")));
  }

  @Test
  void lengthsThatContradictEachOtherAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignEntries.rule(entry(ANY, "0004ffff00000000"), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignEntries.rule(entry("0001002000000000", ""), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignEntries.rule(entry(ANY, apply("0000000000000000")), 0));
  }

  @Test
  void groupsAreReadWithTheirBuckets() {
    String output = "0000001000000003ffff000000000000";
    String bucket = "00200001" + "00000003" + "ffffffff" + "00000000" + output;
    String drop = "00100001" + "ffffffff" + "ffffffff" + "00000000";
    ByteBuffer group = bytes("0038" + "01" + "00" + "00002328" + bucket + drop);
    assertEquals("select output:3 | drop", ForeignEntries.group(group).toString());
    assertEquals(9000, ForeignEntries.group(group).id());
    assertEquals(3, ForeignEntries.group(group).buckets().get(0).watchPort());
    assertEquals(-1, ForeignEntries.group(group).buckets().get(1).watchPort());
  }
}
