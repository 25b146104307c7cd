package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;

class LinkProbeFrameTest {
  private static final SwitchPort FROM = new SwitchPort("s1-0", 3);

  private final LinkProbeFrame frames = new LinkProbeFrame(new byte[] {1, 2, 3});

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

  @Test
  void anotherEnginesProbeIsNone() {
    byte[] frame = new LinkProbeFrame(new byte[] {9}).write(new LinkProbeFrame.Probe(FROM, 7, 200));
    assertNull(frames.read(frame));
    assertNotNull(frames.read(frames.write(new LinkProbeFrame.Probe(FROM, 7, 200))));
  }
}
