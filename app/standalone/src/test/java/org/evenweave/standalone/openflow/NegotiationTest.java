package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.junit.jupiter.api.Test;

/** Which version is spoken, and whether groups get a hash basis in it, byte by byte. */
class NegotiationTest {
  /** HELLO with a bitmap of 1.3 and 1.5, as Open vSwitch sends it. */
  private static final String HELLO_15 = "0600001000000001" + "0001000800000050";

  private static final String HELLO_13 = "0400001000000001" + "0001000800000010";
  private static final int ERROR = 1;
  private static final int FEATURES_REQUEST = 5;
  private static final int GROUP_MOD = 15;
  private static final int MULTIPART_REQUEST = 18;
  private static final int BARRIER_REQUEST = 20;
  private static final int ROLE_REQUEST = 24;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<byte[]> sent = new ArrayList<>();
  private SwitchConnection connection;
  private boolean refusesProperties;

  private void converse(String hello) {
    SwitchEvents events =
        new SwitchEvents() {
          @Override
          public void up(SwitchConnection up, List<PortDescription> ports, long atNanos) {
            connection = up;
          }

          @Override
          public void port(SwitchConnection of, PortDescription port, long atNanos) {}

          @Override
          public void packetIn(SwitchConnection of, int inPort, byte[] frame, long atNanos) {}

          @Override
          public void ruleRemoved(SwitchConnection of, FlowRule rule, long atNanos) {}

          @Override
          public void rulesChanged(SwitchConnection of, long atNanos) {}

          @Override
          public void barred(SwitchConnection of, boolean barred, long atNanos) {}

          @Override
          public void duplicate(SwitchConnection used, SwitchConnection refused, long atNanos) {}

          @Override
          public void down(SwitchConnection down, long atNanos) {}
        };
    OpenFlowServer.addHandlers(
        channel.pipeline(),
        new ChannelSettings(
            id -> "s" + id, Duration.ofSeconds(5), Runnable::run, events, MasterRule.CLAIM, null));
    channel.pipeline().fireChannelActive();
    hear(ByteBufUtil.decodeHexDump(hello));
  }

  private void hear(byte[] bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    channel.runPendingTasks();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      byte[] message = ByteBufUtil.getBytes(out);
      out.release();
      sent.add(message);
      answer(message);
    }
  }

  private void answer(byte[] message) {
    int version = message[0];
    String xid = ByteBufUtil.hexDump(message, 4, 4);
    switch (message[1]) {
      case FEATURES_REQUEST:
        fromSwitch(
            version, 6, xid, "0000000000000007" + "00000000" + "fe000000" + "0000000000000000");
        break;
      case MULTIPART_REQUEST:
        fromSwitch(version, 19, xid, "000d000000000000");
        break;
      case ROLE_REQUEST:
        fromSwitch(version, 25, xid, ByteBufUtil.hexDump(message, 8, 16));
        break;
      case BARRIER_REQUEST:
        fromSwitch(version, 21, xid, "");
        break;
      case GROUP_MOD:
        if (refusesProperties && hasProperty(message)) {
          // Bad property: unknown experimenter.
          fromSwitch(version, ERROR, xid, "00110005");
        }
        break;
      default:
    }
  }

  private void fromSwitch(int version, int type, String xid, String body) {
    int length = 8 + body.length() / 2;
    hear(
        ByteBufUtil.decodeHexDump(
            String.format(Locale.ROOT, "%02x%02x%04x%s%s", version, type, length, xid, body)));
  }

  private static boolean hasProperty(byte[] groupMod) {
    return ByteBufUtil.hexDump(groupMod).contains("ffff00280000154d");
  }

  /** The last group mod after a group was added. */
  private byte[] addedGroup() {
    connection.apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(5), 1, 2))));
    channel.runPendingTasks();
    hear(new byte[0]);
    byte[] last = null;
    for (byte[] message : sent) {
      last = message[1] == GROUP_MOD ? message : last;
    }
    return last;
  }

  @Test
  void openFlow15IsSpokenWhereItIsOfferedAndGroupsAreSeeded() {
    converse(HELLO_15);
    assertTrue(connection.seedsHash());
    // HELLO itself says 1.3 to those who know no bitmap.
    assertEquals(4, sent.get(0)[0]);
    assertTrue(sent.stream().skip(1).allMatch(message -> message[0] == 6));
    assertTrue(hasProperty(addedGroup()));
  }

  @Test
  void openFlow13IsSpokenWhereOnlyThatIsOffered() {
    converse(HELLO_13);
    assertFalse(connection.seedsHash());
    assertTrue(sent.stream().allMatch(message -> message[0] == 4));
    assertFalse(hasProperty(addedGroup()));
  }

  @Test
  void aSwitchThatRefusesThePropertyIsUsedWithoutIt() {
    refusesProperties = true;
    converse(HELLO_15);
    assertFalse(connection.seedsHash());
    byte[] added = addedGroup();
    assertEquals(6, added[0]);
    assertFalse(hasProperty(added));
  }
}
