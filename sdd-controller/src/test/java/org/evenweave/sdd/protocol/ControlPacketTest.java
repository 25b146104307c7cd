package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;
import org.evenweave.sdd.protocol.wire.StartStopDecoder;
import org.junit.jupiter.api.Test;

class ControlPacketTest {
  @Test
  void theTagIsTheFirstHalfOfTheHmacOfAllBefore() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SampleMessages.key(), "any"));
    for (byte[] datagram : SampleMessages.datagrams().values()) {
      int length = datagram.length - 16;
      byte[] tag = mac.doFinal(Arrays.copyOf(datagram, length));
      assertArrayEquals(
          Arrays.copyOf(tag, 16), Arrays.copyOfRange(datagram, length, datagram.length));
    }
  }

  @Test
  void sequencesCountUpFromOneAndCommandsGoOnce() {
    ControlPacket packet = new ControlPacket(5, SampleMessages.key());
    packet.start(1, 99);
    packet.seal(7, 8);
    StartStopDecoder first = decode(packet);
    assertEquals(1, first.sequence());
    assertEquals(1, first.commands().count());
    packet.seal(7, 8);
    StartStopDecoder second = decode(packet);
    assertEquals(2, second.sequence());
    assertEquals(0, second.commands().count());
    assertEquals(2, packet.lastSequence());
  }

  @Test
  void aFullPacketFitsTheDatagramAndOneMoreCommandDoesNot() {
    ControlPacket packet = new ControlPacket(5, SampleMessages.key());
    for (int i = 0; i < ControlPacket.MAX_COMMANDS; i++) {
      packet.stop(i);
    }
    assertThrows(IllegalArgumentException.class, () -> packet.stop(0));
    assertTrue(packet.seal(0, 0) <= Limits.MAX_DATAGRAM_BYTES);
    assertEquals(ControlPacket.MAX_COMMANDS, decode(packet).commands().count());
  }

  private static StartStopDecoder decode(ControlPacket packet) {
    return new StartStopDecoder()
        .wrapAndApplyHeader(new UnsafeBuffer(packet.bytes()), 0, new MessageHeaderDecoder());
  }
}
