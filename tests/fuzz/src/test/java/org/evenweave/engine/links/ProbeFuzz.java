package org.evenweave.engine.links;

import java.util.Arrays;
import org.evenweave.engine.links.LinkProbeFrame.Probe;
import org.evenweave.wcmp.fabric.SwitchPort;

/** LLDP: without the key no valid probe can be made by changing one that was received. */
public final class ProbeFuzz {
  private static final LinkProbeFrame FRAMES =
      new LinkProbeFrame(LinkProbeFrame.Purpose.DISCOVERY, new byte[32]);
  private static final byte[] HEARD = FRAMES.write(new Probe(new SwitchPort("s1-0", 1), 7, 60));

  private ProbeFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] frame) {
    if (FRAMES.read(frame) != null && !Arrays.equals(frame, HEARD)) {
      throw new IllegalStateException("a probe was forged");
    }
  }
}
