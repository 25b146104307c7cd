package org.evenweave.engine.packets;

import static org.evenweave.engine.packets.ExpiredFrames.icmp;
import static org.evenweave.engine.packets.ExpiredFrames.sum;
import static org.evenweave.engine.packets.ExpiredFrames.udp;
import static org.evenweave.engine.packets.ExpiredFrames.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.Data;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP;
import org.onlab.packet.IPv4;

class ExpiredPacketTest {
  private static final String A = "10.0.0.2";
  private static final String B = "10.0.2.9";
  private static final int ADDRESS = Ipv4Prefix.parseAddress("100.64.3.7");
  private static final long FROM_MAC = 0x02_45_56_57_00_01L;
  private static final long TO_MAC = 0x0a_00_00_00_00_0aL;
  private static final int IPV4_AT = 14;
  private static final int ICMP_AT = 34;
  private static final int QUOTE_AT = 42;

  private static byte[] answer(byte[] frame) {
    return ExpiredPacket.answerable(frame).orElseThrow().timeExceeded(ADDRESS, FROM_MAC, TO_MAC);
  }

  private static boolean isAnswerable(byte[] frame) {
    return ExpiredPacket.isOne(frame) && ExpiredPacket.answerable(frame).isPresent();
  }

  @Test
  void anAnswerIsTimeExceededInTransitToTheSender() throws DeserializationException {
    byte[] bytes = answer(udp(A, B, 50_000, 20));
    Ethernet frame = Ethernet.deserializer().deserialize(bytes, 0, bytes.length);
    assertEquals(TO_MAC, frame.getDestinationMAC().toLong());
    assertEquals(FROM_MAC, frame.getSourceMAC().toLong());
    IPv4 packet = (IPv4) frame.getPayload();
    assertEquals(ADDRESS, packet.getSourceAddress());
    assertEquals(Ipv4Prefix.parseAddress(A), packet.getDestinationAddress());
    assertEquals(64, packet.getTtl());
    ICMP icmp = (ICMP) packet.getPayload();
    assertEquals(11, icmp.getIcmpType());
    assertEquals(0, icmp.getIcmpCode());
    assertEquals(bytes.length - IPV4_AT, packet.getTotalLength());
    assertEquals(
        ExpiredFrames.HOST.toLong(),
        ExpiredPacket.answerable(udp(A, B, 50_000, 20)).orElseThrow().sourceMac());
  }

  @Test
  void itQuotesThePacketAsItCameUpToALengthOf576Bytes() {
    for (int data : new int[] {0, 1, 20, 519, 520, 521, 1400}) {
      byte[] sent = udp(A, B, 50_000, data);
      byte[] answer = answer(sent);
      int quoted = Math.min(sent.length - IPV4_AT, 576 - 28);
      assertEquals(QUOTE_AT + quoted, answer.length);
      assertArrayEquals(
          Arrays.copyOfRange(sent, IPV4_AT, IPV4_AT + quoted),
          Arrays.copyOfRange(answer, QUOTE_AT, answer.length));
    }
  }

  @Property(tries = 200)
  void bothItsChecksumsAreRight(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] sent = udp(A, B, random.nextInt(1 << 16), random.nextInt(1400));
    for (int at = ICMP_AT; at < sent.length; at++) {
      sent[at] = (byte) random.nextInt();
    }
    byte[] answer = answer(sent);
    assertEquals(0xffff, sum(answer, IPV4_AT, ICMP_AT - IPV4_AT));
    assertEquals(0xffff, sum(answer, ICMP_AT, answer.length - ICMP_AT));
  }

  @Test
  void paddingOfTheFrameIsNotQuoted() {
    byte[] sent = udp(A, B, 50_000, 2);
    assertEquals(answer(sent).length, answer(Arrays.copyOf(sent, 60)).length);
  }

  @Test
  void onlyATtlOfOneOrNoneIsUsedUp() {
    byte[] sent = udp(A, B, 50_000, 20);
    assertTrue(ExpiredPacket.isOne(sent));
    assertTrue(ExpiredPacket.isOne(with(sent, 8, 0)));
    assertFalse(ExpiredPacket.isOne(with(sent, 8, 2)));
    assertFalse(ExpiredPacket.isOne(with(sent, 8, 255)));
    sent[12] = (byte) 0x86;
    assertFalse(ExpiredPacket.isOne(sent), "of another EtherType");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 9, 10, 11, 12, 19, 40, 200})
  void icmpErrorsAndWhatMayBeSomeAreNotAnswered(int type) {
    assertFalse(isAnswerable(icmp(A, B, type)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 13, 14, 17, 18})
  void icmpQueriesAre(int type) {
    assertTrue(isAnswerable(icmp(A, B, type)));
  }

  @Test
  void icmpWithoutAnyByteMayBeAnError() {
    assertFalse(
        isAnswerable(ExpiredFrames.frame(A, B, 1, IPv4.PROTOCOL_ICMP, new Data(new byte[0]))));
  }

  @Test
  void theFirstFragmentIsAnsweredAndNoOther() {
    byte[] sent = udp(A, B, 50_000, 20);
    assertTrue(isAnswerable(with(sent, 6, 0x20)), "more fragments");
    assertFalse(isAnswerable(with(sent, 7, 1)), "offset 8");
    assertFalse(isAnswerable(with(sent, 6, 0x1f)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"})
  void whatIsSentToManyIsNotAnswered(String destination) {
    assertFalse(isAnswerable(udp(A, destination, 50_000, 20)));
  }

  @Test
  void norIsABroadcastOfTheLinkLayer() {
    byte[] sent = udp(A, B, 50_000, 20);
    Arrays.fill(sent, 0, 6, (byte) -1);
    assertFalse(isAnswerable(sent));
  }

  @Test
  void whatContradictsItsHeaderIsNotAnswered() {
    byte[] sent = udp(A, B, 50_000, 20);
    assertFalse(isAnswerable(with(sent, 0, 0x65)), "version 6");
    assertFalse(isAnswerable(with(sent, 0, 0x44)), "a header of 16 bytes");
    assertFalse(isAnswerable(with(sent, 0, 0x4f)), "a header longer than the packet");
    assertFalse(isAnswerable(with(sent, 2, 0x40)), "longer than the frame");
    assertFalse(isAnswerable(with(sent, 3, 19)), "shorter than its header");
    sent[IPV4_AT + 10] = (byte) (sent[IPV4_AT + 10] ^ 1);
    assertFalse(isAnswerable(sent), "a wrong checksum");
  }

  @Property(tries = 2000)
  void anyBytesAreReadWithoutAFault(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] frame = random.nextBoolean() ? udp(A, B, 9, random.nextInt(700)) : icmp(A, B, 8);
    for (int change = random.nextInt(6); change > 0; change--) {
      frame[random.nextInt(frame.length)] = (byte) random.nextInt();
    }
    if (frame.length > ICMP_AT && random.nextBoolean()) {
      frame = with(frame, random.nextInt(20), random.nextInt());
    }
    frame = Arrays.copyOf(frame, random.nextInt(frame.length + 20));
    if (isAnswerable(frame)) {
      byte[] answer = answer(frame);
      assertTrue(answer.length <= IPV4_AT + 576);
      int quoted = answer.length - QUOTE_AT;
      assertTrue(quoted >= 20 && quoted <= frame.length - IPV4_AT);
    }
  }
}
