package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may be another controller, and what is known of it. */
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

  private static Controllers linkedTo(SessionBed bed, String configuration) throws Exception {
    Controllers controllers =
        new Controllers(
            List.of(bed.server.address()),
            TlsIdentity.read(bed.keys),
            new SessionBed.NothingChanged(),
            configuration,
            bed.leadership);
    controllers.start();
    return controllers;
  }

  @Test
  void controllersTellWhetherTheyAreConfiguredAlike() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        Controllers same = linkedTo(bed, SessionBed.CONFIGURATION);
        Controllers another = linkedTo(bed, "another")) {
      SessionBed.await("a link", () -> same.states().get(0).isLinked());
      SessionBed.await("another link", () -> another.states().get(0).isLinked());
      assertEquals(Optional.of(true), same.states().get(0).sameConfiguration());
      assertEquals(Optional.of(false), another.states().get(0).sameConfiguration());
      assertTrue(another.states().get(0).hasSamePolicy());
    }
  }

  private static void says(EmbeddedChannel channel, String json) {
    channel.writeInbound(Unpooled.copiedBuffer(json.replace('\'', '"'), StandardCharsets.UTF_8));
  }

  @Test
  void oneThatDoesNotSayItsConfigurationMayHaveAnyAndOneThatDoesIsKnownByIt() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        Controllers controllers = linkedTo(bed, "any")) {
      ControllerLink link = new ControllerLink(controllers);
      EmbeddedChannel channel = new EmbeddedChannel(link);
      says(channel, "{'controller': 'old', 'has': 0, 'inForce': true}");
      assertNull(link.configuration());
      says(channel, "{'controller': 'new', 'has': 0, 'inForce': true, 'configuration': 'x'}");
      assertEquals("x", link.configuration());
      channel.close();
    }
  }

  /** The other end is to read whose it is before the connection ends. */
  @Test
  void oneThatFindsItselfLeavesItToTheEndThatConnected() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        Controllers controllers = linkedTo(bed, "any")) {
      EmbeddedChannel accepted = new EmbeddedChannel(new ControllerLink(controllers));
      says(accepted, "{'controller': '" + controllers.id() + "', 'has': -1, 'inForce': true}");
      assertTrue(accepted.isOpen());
      accepted.close();
    }
  }
}
