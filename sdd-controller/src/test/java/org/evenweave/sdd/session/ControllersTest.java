package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may be another controller. */
class ControllersTest {
  @TempDir static Path temporary;

  @Test
  void aHostIsNoneWhateverItSays() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient host =
            bed.greeting("h0", ClientFrames.hostHello("controller", 1, 1_000_000, 9, 1))) {
      assertEquals(RefusedDecoder.TEMPLATE_ID, host.receiveAny().template);
      assertNull(host.receiveAny());
    }
  }
}
