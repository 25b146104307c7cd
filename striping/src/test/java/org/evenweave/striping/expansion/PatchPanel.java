package org.evenweave.striping.expansion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the printed instructions, and nothing else, on a model of the fabric's patch panel: a map
 * from every port in use to the port at the other end of its link. Objects to a port that is not as
 * the instruction says.
 */
final class PatchPanel {

  private static final String PORT = "(s[12]-\\d+ port \\d+)";
  private static final Pattern MOVE =
      Pattern.compile("move " + PORT + " from " + PORT + " to " + PORT);
  private static final Pattern UNPLUG = Pattern.compile("unplug " + PORT + " from " + PORT);
  private static final Pattern PLUG = Pattern.compile("plug " + PORT + " into " + PORT);
  private static final Pattern ADD = Pattern.compile("add " + PORT + " to " + PORT);
  private static final Pattern REMOVE = Pattern.compile("remove " + PORT + " from " + PORT);

  private final Map<String, String> peers = new HashMap<>();
  private String looseLink;

  PatchPanel(Wiring wiring) {
    for (WiredLink link : wiring.links()) {
      connect(
          String.format(Locale.ROOT, "s1-%d port %d", link.s1(), link.s1Port()),
          String.format(Locale.ROOT, "s2-%d port %d", link.s2(), link.s2Port()));
    }
  }

  void follow(String instruction) {
    Matcher m = MOVE.matcher(instruction);
    if (m.matches()) {
      disconnect(m.group(1), m.group(2));
      assertEquals(m.group(2).substring(0, 2), m.group(3).substring(0, 2), "same stage");
      connect(m.group(1), m.group(3));
    } else if (m.usePattern(UNPLUG).matches()) {
      assertNull(looseLink, "one loose link at a time");
      disconnect(m.group(1), m.group(2));
      looseLink = m.group(1);
    } else if (m.usePattern(PLUG).matches()) {
      assertEquals(looseLink, m.group(1));
      looseLink = null;
      connect(m.group(1), m.group(2));
    } else if (m.usePattern(ADD).matches()) {
      connect(m.group(1), m.group(2));
    } else {
      assertTrue(m.usePattern(REMOVE).matches(), instruction);
      disconnect(m.group(1), m.group(2));
    }
  }

  private void connect(String a, String b) {
    assertTrue(!a.equals(looseLink) && !b.equals(looseLink), "port holds the loose link");
    assertNull(peers.put(a, b), a + " is in use");
    assertNull(peers.put(b, a), b + " is in use");
  }

  private void disconnect(String a, String b) {
    assertNotNull(peers.get(a), a + " has no link");
    assertEquals(b, peers.remove(a));
    assertEquals(a, peers.remove(b));
  }

  /** Every link as "s1 port - s2 port"; no link may be loose. */
  Set<String> links() {
    assertNull(looseLink, "loose link at the end");
    Set<String> links = new TreeSet<>();
    peers.forEach(
        (port, peer) -> {
          if (port.startsWith("s1")) {
            links.add(port + " - " + peer);
          }
        });
    return links;
  }
}
