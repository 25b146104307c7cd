package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Every well-formed message that openflowj can make, of OpenFlow 1.0 to 1.5 and of the vendors that
 * it knows, unasked on a live session: none ends it. {@link ForeignMessageTest} has messages that
 * are not well-formed inside, and the other vendors.
 */
class EveryMessageTest {
  /** There are 578; fewer would mean that they are not found any more. */
  private static final int LEAST_MESSAGES = 500;

  /** A switch may open its session with these, and refuse a handshake by them. */
  private static final Set<Integer> OF_HANDSHAKES = Set.of(0, 1);

  /** Replies, of the negotiated version, which a handshake waits for. */
  private static final Set<Integer> REPLIES = Set.of(3, 6, 8, 19, 21, 23, 25, 27, 31, 34);

  private static final int TYPE_OFFSET = 1;
  private static final Map<String, byte[]> MESSAGES = messages();

  private static Map<String, byte[]> messages() {
    Map<String, byte[]> messages = new TreeMap<>();
    for (OFVersion version : OFVersion.values()) {
      OFFactory factory = OFFactories.getFactory(version);
      addAll(version + " ", factory, messages);
      addAll(version + " error ", factory.errorMsgs(), messages);
    }
    return messages;
  }

  /** Of each builder, the message with nothing set but what has no default. */
  private static void addAll(String prefix, Object factory, Map<String, byte[]> to) {
    for (Method method : factory.getClass().getMethods()) {
      if (method.getName().startsWith("build") && method.getParameterCount() == 0) {
        byte[] bytes = build(factory, method);
        if (bytes != null) {
          to.put(prefix + method.getName().substring("build".length()), bytes);
        }
      }
    }
  }

  /** Null if it is none, or needs more than nothing. */
  private static byte[] build(Object factory, Method method) {
    try {
      Object builder = method.invoke(factory);
      if (!(builder instanceof OFMessage.Builder)) {
        return null;
      }
      OFMessage message = ((OFMessage.Builder) builder).setXid(0xbeef).build();
      ByteBuf bytes = Unpooled.buffer();
      message.writeTo(bytes);
      return ByteBufUtil.getBytes(bytes);
    } catch (InvocationTargetException | IllegalStateException | UnsupportedOperationException e) {
      return null;
    } catch (NullPointerException e) {
      return null; // A field without a default that the builder does not check.
    } catch (IllegalAccessException e) {
      throw new AssertionError("openflowj's factories are public", e);
    }
  }

  @Test
  void thereAreMessagesOfEveryVersion() {
    assertTrue(MESSAGES.size() >= LEAST_MESSAGES, MESSAGES.size() + " messages");
    Set<Byte> versions = new TreeSet<>();
    MESSAGES.values().forEach(bytes -> versions.add(bytes[0]));
    assertEquals(Set.of((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5, (byte) 6), versions);
  }

  @Test
  void noneEndsALiveSession() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1));
    // So that what is answered by accident is no part of the test.
    fixture.answering = false;
    MESSAGES.forEach(
        (name, bytes) -> {
          fixture.fromSwitch(bytes);
          assertTrue(fixture.channel.isActive(), name);
        });
  }

  @Test
  void noneEndsALiveSessionOfOpenFlow15() {
    ByteConversation conversation = new ByteConversation();
    conversation.begin(ByteConversation.HELLO_15);
    SwitchConnection live = conversation.connection;
    assertNotNull(live);
    conversation.answering = false;
    MESSAGES.forEach(
        (name, bytes) -> {
          conversation.hear(bytes);
          assertTrue(conversation.channel.isActive(), name);
          assertSame(live, conversation.connection, name);
        });
    assertTrue(conversation.sent.stream().skip(1).allMatch(message -> message[0] == 6));
  }

  /** One of each version, type and vendor, for a handshake takes a while. */
  @Test
  void noneThatIsNoReplyEndsAHandshake() {
    Set<String> kinds = new HashSet<>();
    MESSAGES.forEach(
        (name, bytes) -> {
          int type = bytes[TYPE_OFFSET];
          String vendor = type == 4 ? ByteBufUtil.hexDump(bytes, 8, 4) : "";
          boolean isNew = kinds.add(bytes[0] + " " + type + " " + vendor);
          if (isNew && !OF_HANDSHAKES.contains(type) && !REPLIES.contains(type)) {
            ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
            fixture.beforeAnswers = bytes;
            fixture.fromSwitch(FakeOpenFlowSwitch.hello());
            assertTrue(fixture.channel.isActive(), name);
            assertFalse(fixture.events.isEmpty(), name + " keeps the switch from coming up");
            fixture.channel.finishAndReleaseAll();
          }
        });
  }

  @Test
  void eachIsCutFromTheStreamOfASessionOfOpenFlow15() {
    Dialect dialect = new Dialect();
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(dialect));
    dialect.agreeOn(OpenFlow15.WIRE_VERSION);
    MESSAGES.forEach(
        (name, bytes) -> {
          channel.writeInbound(Unpooled.wrappedBuffer(bytes));
          int decoded = 0;
          while (channel.readInbound() != null) {
            decoded++;
          }
          assertTrue(decoded > 0, name);
        });
  }
}
