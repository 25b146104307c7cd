package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.evenweave.engine.links.LinkProbeFrame.Purpose;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;

class LinkProbeFrameTest {
  private static final SwitchPort FROM = new SwitchPort("s1-0", 3);

  private final LinkProbeFrame frames =
      new LinkProbeFrame(Purpose.MEASUREMENT, new byte[] {1, 2, 3});

  @Property(tries = 200)
  void aProbeIsReadAsItWasWrittenAndHasItsSize(
      @ForAll @IntRange(min = 150, max = 9014) int bytes, @ForAll long round) {
    byte[] frame = frames.write(new LinkProbeFrame.Probe(FROM, round, bytes));
    LinkProbeFrame.Probe read = frames.read(frame);
    assertEquals(bytes, frame.length);
    assertEquals(FROM, read.from);
    assertEquals(round, read.round);
    assertEquals(bytes, read.bytes);
  }

  @Test
  void aSmallProbeMayBePaddedOnItsWay() {
    byte[] frame = frames.write(new LinkProbeFrame.Probe(FROM, 7, LinkProbeFrame.LEAST_BYTES));
    assertEquals(7, frames.read(Arrays.copyOf(frame, frame.length + 10)).round);
  }

  /** But for the destination. */
  @Test
  void aProbeThatIsNotAsItWasSentIsNone() {
    byte[] sent = frames.write(new LinkProbeFrame.Probe(FROM, 7, 200));
    for (int i = 6; i < sent.length; i++) {
      byte[] frame = sent.clone();
      frame[i] ^= 4;
      assertNull(frames.read(frame), "byte " + i);
      assertNull(frames.read(Arrays.copyOf(sent, i)), i + " bytes");
    }
  }

  @Property(tries = 300)
  void idsAndPortsAreReadAsTheyWereWritten(
      @ForAll @StringLength(min = 1, max = 80) String id, @ForAll @IntRange(min = 1) int port) {
    if (isText(id)) {
      SwitchPort from = new SwitchPort(id, port);
      byte[] frame = frames.write(new LinkProbeFrame.Probe(from, 7, LinkProbeFrame.LEAST_BYTES));
      assertEquals(from, frames.read(frame).from);
    }
  }

  /** Lone surrogates are characters of a Java string, but of no text. */
  private static boolean isText(String id) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(id);
  }

  @Property(tries = 1000)
  void hostsMaySendWhatTheyLike(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] frame = frames.write(new LinkProbeFrame.Probe(FROM, 9, 200));
    int from = 14 + random.nextInt(20);
    for (int i = from; i < frame.length; i++) {
      frame[i] = (byte) random.nextInt();
    }
    assertNull(frames.read(Arrays.copyOf(frame, random.nextInt(frame.length))));
    assertNull(frames.read(frame));
  }

  /** Room for the length that a host claims would be room for 2 GB. */
  @Test
  void aLengthThatTheFrameDoesNotHaveTakesNoMemory() {
    byte[] frame = frames.write(new LinkProbeFrame.Probe(FROM, 9, LinkProbeFrame.LEAST_BYTES));
    byte[] length = {0, 0, 0, LinkProbeFrame.LEAST_BYTES};
    int at = hex(frame).indexOf(hex(length)) / 2;
    byte[] claimed = frame.clone();
    claimed[at] = 0x7f;
    assertNull(frames.read(claimed));
    assertEquals(FROM, frames.read(frame).from);
  }

  @Test
  void aProbeIsAStandardLldpFrame() {
    LinkProbeFrame discovery = new LinkProbeFrame(Purpose.DISCOVERY);
    byte[] frame = discovery.write(new LinkProbeFrame.Probe(FROM, 9, LinkProbeFrame.LEAST_BYTES));
    assertTrue(LinkProbeFrame.isLldp(frame));
    // Destination; then chassis id (type 1, length 5, subtype 7) and port id (type 2, length 2).
    assertEquals("0180c200000e", hex(frame, 0, 6));
    assertEquals("0205" + "07" + hex("s1-0".getBytes(StandardCharsets.UTF_8)), hex(frame, 14, 7));
    assertEquals("0402" + "07" + hex("3".getBytes(StandardCharsets.UTF_8)), hex(frame, 21, 4));
    // Time to live: type 3, length 2.
    assertEquals("0602" + "0004", hex(frame, 25, 4));
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

  @Test
  void anotherEnginesProbeIsNone() {
    for (Purpose purpose : Purpose.values()) {
      LinkProbeFrame other = new LinkProbeFrame(purpose);
      assertNull(frames.read(other.write(new LinkProbeFrame.Probe(FROM, 7, 200))));
    }
    assertNotNull(frames.read(frames.write(new LinkProbeFrame.Probe(FROM, 7, 200))));
  }
}
