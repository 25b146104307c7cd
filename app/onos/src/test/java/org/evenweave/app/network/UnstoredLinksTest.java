package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.LinkKey;

class UnstoredLinksTest {
  private static final long GRACE_NANOS = UnstoredLinks.GRACE_NANOS;
  private static final LinkKey LINK = link(1, 2);

  private final UnstoredLinks unstored = new UnstoredLinks();

  @Test
  void aLinkIsLostThatProbesKeepPassingAndTheStoreLacks() {
    assertFalse(unstored.isLost(LINK, false, 5));
    assertFalse(unstored.isLost(LINK, false, 5 + GRACE_NANOS - 1));
    assertTrue(unstored.isLost(LINK, false, 5 + GRACE_NANOS));
    assertTrue(unstored.isLost(LINK, false, 5 + 2 * GRACE_NANOS));
  }

  @Test
  void aLinkThatWasStoredMeanwhileIsNotLost() {
    assertFalse(unstored.isLost(LINK, false, 0));
    assertFalse(unstored.isLost(LINK, true, GRACE_NANOS - 1));
    assertFalse(unstored.isLost(LINK, false, GRACE_NANOS));
    assertFalse(unstored.isLost(LINK, false, 2 * GRACE_NANOS - 1));
  }

  @Test
  void linksAndTheirDirectionsAreSeparate() {
    assertFalse(unstored.isLost(LINK, false, 0));
    assertFalse(unstored.isLost(link(2, 1), false, GRACE_NANOS));
    assertFalse(unstored.isLost(link(1, 3), false, GRACE_NANOS));
  }

  private static LinkKey link(int from, int to) {
    return LinkKey.linkKey(end(from), end(to));
  }

  private static ConnectPoint end(int device) {
    return ConnectPoint.deviceConnectPoint(String.format("of:%016x/1", device));
  }
}
