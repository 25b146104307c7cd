package org.evenweave.engine.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;

class ForwardingProbeTest {
  private static final long NONCE = 0x0123_4567_89ab_cdefL;
  private static final int GATEWAY = 0x0a00_0001;

  private static IPv4 packet(byte[] frame) throws DeserializationException {
    return (IPv4) Ethernet.deserializer().deserialize(frame, 0, frame.length).getPayload();
  }

  @Test
  void namesTheSwitchThatItPassed() throws DeserializationException {
    IPv4 packet = packet(ForwardingProbe.frame(NONCE, GATEWAY, 7, "s2-1"));
    assertEquals(GATEWAY, packet.getDestinationAddress());
    assertEquals("s2-1", ForwardingProbe.switchPassed(NONCE, packet));
    assertEquals(
        "", ForwardingProbe.switchPassed(NONCE, packet(ForwardingProbe.frame(NONCE, 1, 7, ""))));
  }

  @Test
  void paddingOfShortFramesIsIgnored() throws DeserializationException {
    byte[] frame = Arrays.copyOf(ForwardingProbe.frame(NONCE, GATEWAY, 7, "s2-1"), 60);
    assertEquals("s2-1", ForwardingProbe.switchPassed(NONCE, packet(frame)));
  }

  @Test
  void flowsHaveSourcesOfTheirOwn() throws DeserializationException {
    assertNotEquals(
        packet(ForwardingProbe.frame(NONCE, GATEWAY, 7, "s")).getSourceAddress(),
        packet(ForwardingProbe.frame(NONCE, GATEWAY, 8, "s")).getSourceAddress());
  }

  @Test
  void whatHasNotTheNonceOrIsCutShortIsNoProbe() throws DeserializationException {
    byte[] frame = ForwardingProbe.frame(NONCE, GATEWAY, 7, "s2-1");
    assertNull(ForwardingProbe.switchPassed(NONCE + 1, packet(frame)));
    for (int bytes = 0; bytes < Long.BYTES + Short.BYTES + "s2-1".length(); bytes++) {
      IPv4 packet = packet(frame);
      packet.setPayload(new Data(Arrays.copyOf(((Data) packet.getPayload()).getData(), bytes)));
      assertNull(ForwardingProbe.switchPassed(NONCE, packet), bytes + " bytes");
    }
  }
}
