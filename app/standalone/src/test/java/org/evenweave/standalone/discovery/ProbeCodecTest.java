package org.evenweave.standalone.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.evenweave.standalone.discovery.ProbeCodec.Probe;
import org.junit.jupiter.api.Test;

class ProbeCodecTest {
  private final ProbeCodec codec = new ProbeCodec();

  @Property(tries = 300)
  void aProbeIsReadAsWritten(
      @ForAll @StringLength(min = 1, max = 80) String id,
      @ForAll @IntRange(min = 1) int port,
      @ForAll long round) {
    if (!isText(id)) {
      return;
    }
    Probe read = codec.read(codec.write(new Probe(id, port, round))).orElseThrow();
    assertEquals(id, read.switchId);
    assertEquals(port, read.port);
    assertEquals(round, read.round);
  }

  /** Lone surrogates are characters of a Java string, but of no text. */
  private static boolean isText(String id) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(id);
  }

  @Property(tries = 500)
  void aProbeWithAByteChangedSaysTheSameOrNothing(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] frame = codec.write(new Probe("s1-0", 3, 9));
    int at = random.nextInt(frame.length);
    byte[] changed = frame.clone();
    changed[at] ^= (byte) (1 + random.nextInt(255));
    Optional<Probe> read = codec.read(changed);
    if (read.isPresent()) {
      assertEquals("s1-0/3 9", text(read.get()), "changed at " + at);
    }
  }

  @Property(tries = 1000)
  void hostsMaySendWhatTheyLike(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] frame = codec.write(new Probe("s1-0", 3, 9));
    int from = 14 + random.nextInt(20);
    for (int i = from; i < frame.length; i++) {
      frame[i] = (byte) random.nextInt();
    }
    assertEquals(Optional.empty(), codec.read(Arrays.copyOf(frame, random.nextInt(frame.length))));
    assertEquals(Optional.empty(), codec.read(frame));
  }

  @Test
  void anotherControllersProbeIsNotOurs() {
    byte[] theirs = new ProbeCodec().write(new Probe("s1-0", 3, 9));
    assertEquals(Optional.empty(), codec.read(theirs));
  }

  @Test
  void aProbeIsAStandardLldpFrame() {
    byte[] frame = codec.write(new Probe("s1-0", 3, 9));
    assertTrue(LinkDiscovery.isLldp(frame));
    assertTrue(frame.length >= 60, "at least the least Ethernet frame");
    // Destination; then chassis id (type 1, length 5, subtype 7) and port id (type 2, length 2).
    assertEquals("0180c200000e", hex(frame, 0, 6));
    assertEquals("0205" + "07" + hex("s1-0".getBytes(StandardCharsets.UTF_8)), hex(frame, 14, 7));
    assertEquals("0402" + "07" + hex("3".getBytes(StandardCharsets.UTF_8)), hex(frame, 21, 4));
    // Time to live: type 3, length 2.
    assertEquals("0602" + "0004", hex(frame, 25, 4));
  }

  private static String text(Probe probe) {
    return probe.switchId + "/" + probe.port + " " + probe.round;
  }

  private static String hex(byte[] bytes) {
    return hex(bytes, 0, bytes.length);
  }

  private static String hex(byte[] bytes, int from, int count) {
    StringBuilder hex = new StringBuilder();
    for (int i = from; i < from + count; i++) {
      hex.append(String.format(Locale.ROOT, "%02x", bytes[i]));
    }
    return hex.toString();
  }
}
