package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.port.FlowRule;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * The controller's channel and a {@link FakeOpenFlowSwitch} at its other end, without a network and
 * with a clock that stands still until {@link #pass}.
 */
final class ChannelFixture implements SwitchEvents {
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  final FakeOpenFlowSwitch peer;
  final EmbeddedChannel channel =
      new EmbeddedChannel() {
        @Override
        protected void doWrite(ChannelOutboundBuffer in) throws Exception {
          if (reading) {
            super.doWrite(in);
          }
        }
      };

  /** All that the controller sent. */
  final List<OFMessage> sent = new ArrayList<>();

  /** What the channel reported, one line each. */
  final List<String> events = new ArrayList<>();

  SwitchConnection connection;

  /** The latest connection of a switch with another master. */
  SwitchConnection barred;

  private final ChannelSettings settings;

  /** Whether the switch takes what is sent to it off the network. */
  boolean reading = true;

  /** Whether the switch answers at all. */
  boolean answering = true;

  /** Something that the switch says before each of its answers; null: nothing. */
  byte[] beforeAnswers;

  ChannelFixture(FakeOpenFlowSwitch peer) {
    this(peer, MasterRule.CLAIM);
  }

  ChannelFixture(FakeOpenFlowSwitch peer, MasterRule masterRule) {
    this(peer, masterRule, null);
  }

  /** One more channel of the same controller, whose reports go to the first. */
  ChannelFixture(FakeOpenFlowSwitch peer, ChannelFixture first) {
    this(peer, MasterRule.CLAIM, first.settings);
  }

  private ChannelFixture(FakeOpenFlowSwitch peer, MasterRule masterRule, ChannelSettings shared) {
    this.peer = peer;
    channel.freezeTime();
    channel.config().setWriteBufferWaterMark(OpenFlowServer.WATER_MARK);
    settings =
        shared != null
            ? shared
            : new ChannelSettings(id -> "s" + id, TIMEOUT, Runnable::run, this, masterRule, null);
    OpenFlowServer.addHandlers(channel.pipeline(), settings);
    // Added to an active channel, handlers hear of its activity only now.
    channel.pipeline().fireChannelActive();
  }

  /** A channel whose handshake is done. */
  static ChannelFixture withUp(FakeOpenFlowSwitch peer) {
    ChannelFixture fixture = new ChannelFixture(peer);
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    return fixture;
  }

  /** Requests for reports of changed rules, which openflowj cannot read; nothing answers them. */
  int monitorRequests;

  /**
   * Whether a HELLO of the switch, by accident, may offer OpenFlow 1.5; then nothing is answered.
   */
  boolean mayTurnTo15;

  /** The switch says something of its own accord; all that follows from it happens. */
  void fromSwitch(OFMessage message) {
    fromSwitch(Wire.ofSwitch(message));
  }

  void fromSwitch(byte[] bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    settle();
  }

  /** Lets everything happen that needs no time. */
  void settle() {
    channel.runPendingTasks();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      byte[] bytes = ByteBufUtil.getBytes(out);
      out.release();
      if (mayTurnTo15 && bytes[0] == OFVersion.OF_15.getWireVersion()) {
        continue;
      }
      if (Wire.isMonitorRequest(bytes)) {
        monitorRequests++;
        continue;
      }
      OFMessage message = read(bytes);
      sent.add(message);
      if (answering) {
        for (OFMessage answer : peer.answers(message)) {
          if (beforeAnswers != null) {
            channel.writeInbound(Unpooled.wrappedBuffer(beforeAnswers));
          }
          channel.writeInbound(Unpooled.wrappedBuffer(Wire.ofSwitch(answer)));
        }
      }
      channel.runPendingTasks();
    }
  }

  /** Time goes by, a little at a time, and all that follows from it happens. */
  void pass(Duration time) {
    for (long ms = 0; ms < time.toMillis(); ms += 100) {
      channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
      settle();
    }
  }

  /** The messages of one type that the controller sent. */
  <M extends OFMessage> List<M> sent(Class<M> type) {
    List<M> ofType = new ArrayList<>();
    for (OFMessage message : sent) {
      if (type.isInstance(message)) {
        ofType.add(type.cast(message));
      }
    }
    return ofType;
  }

  private static OFMessage read(byte[] bytes) {
    try {
      return OpenFlow13.FACTORY.getReader().readFrom(Unpooled.wrappedBuffer(Wire.readable(bytes)));
    } catch (OFParseError e) {
      throw new AssertionError("the controller sent what is no OpenFlow 1.3", e);
    }
  }

  @Override
  public void up(SwitchConnection up, List<PortDescription> ports, long atNanos) {
    connection = up;
    events.add("up " + up.switchId() + " " + ports);
  }

  @Override
  public void port(SwitchConnection of, PortDescription port, long atNanos) {
    events.add(port.toString());
  }

  @Override
  public void packetIn(SwitchConnection of, int inPort, byte[] frame, long atNanos) {
    events.add("packet of " + frame.length + " at " + inPort);
  }

  @Override
  public void ruleRemoved(SwitchConnection of, FlowRule rule, long atNanos) {
    events.add("removed " + rule.key());
  }

  @Override
  public void rulesChanged(SwitchConnection of, long atNanos) {
    events.add("rules changed");
  }

  @Override
  public void barred(SwitchConnection of, boolean isBarred, long atNanos) {
    if (isBarred) {
      barred = of;
      events.add("barred " + of.switchId());
    }
  }

  @Override
  public void duplicate(SwitchConnection used, SwitchConnection refused, long atNanos) {
    events.add("duplicate " + refused.switchId());
  }

  @Override
  public void down(SwitchConnection down, long atNanos) {
    events.add("down " + down.switchId());
  }
}
