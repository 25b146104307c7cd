package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.evenweave.engine.port.FlowRule;

/**
 * The controller's channel and a switch without ports at its other end that answers byte by byte,
 * in the version of each request. The clock stands still.
 */
final class ByteConversation implements SwitchEvents {
  /** HELLO with a bitmap of 1.3 and 1.5, as Open vSwitch sends it. */
  static final String HELLO_15 = "0600001000000001" + "0001000800000050";

  private static final int ERROR = 1;
  private static final int FEATURES_REQUEST = 5;
  private static final int GROUP_MOD = 15;
  private static final int MULTIPART_REQUEST = 18;
  private static final int BARRIER_REQUEST = 20;
  private static final int ROLE_REQUEST = 24;

  final EmbeddedChannel channel = new EmbeddedChannel();

  /** All that the controller sent. */
  final List<byte[]> sent = new ArrayList<>();

  /** The switch while it is up; null before and after. */
  SwitchConnection connection;

  /** Whether the switch refuses groups with a hash basis. */
  boolean refusesProperties;

  /** Whether the switch answers at all. */
  boolean answering = true;

  ByteConversation() {
    channel.freezeTime();
  }

  /** The switch says HELLO, and answers until it is up. */
  void begin(String hello) {
    OpenFlowServer.addHandlers(
        channel.pipeline(),
        new ChannelSettings(
            id -> "s" + id, Duration.ofSeconds(5), Runnable::run, this, MasterRule.CLAIM, null));
    channel.pipeline().fireChannelActive();
    hear(ByteBufUtil.decodeHexDump(hello));
  }

  /** The switch says something of its own accord; all that follows from it happens. */
  void hear(byte[] bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    channel.runPendingTasks();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      byte[] message = ByteBufUtil.getBytes(out);
      out.release();
      sent.add(message);
      if (answering) {
        answer(message);
      }
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

  /** Whether a group modification sets the hash basis. */
  static boolean hasProperty(byte[] groupMod) {
    return ByteBufUtil.hexDump(groupMod).contains("ffff00280000154d");
  }

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
  public void barred(SwitchConnection of, boolean isBarred, long atNanos) {}

  @Override
  public void duplicate(SwitchConnection used, SwitchConnection refused, long atNanos) {}

  @Override
  public void down(SwitchConnection down, long atNanos) {
    connection = null;
  }
}
