package org.evenweave.striping.expansion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the printed instructions, and nothing else, on a model of the fabric's patch panel: a map
 * from every port in use to the port at the other end of its cable. Objects to a port that is not
 * as the instruction says.
 */
final class Technician {

  private static final String PORT = "(s[12]-\\d+ port \\d+)";
  private static final Pattern MOVE =
      Pattern.compile("move " + PORT + " from " + PORT + " to " + PORT);
  private static final Pattern UNPLUG = Pattern.compile("unplug " + PORT + " from " + PORT);
  private static final Pattern PLUG = Pattern.compile("plug " + PORT + " into " + PORT);
  private static final Pattern ADD = Pattern.compile("add " + PORT + " to " + PORT);
  private static final Pattern REMOVE = Pattern.compile("remove " + PORT + " from " + PORT);

  private final Map<String, String> peers = new HashMap<>();
  private String looseCable;

  Technician(Wiring wiring) {
    for (Cable cable : wiring.cables()) {
      connect(
          String.format("s1-%d port %d", cable.s1(), cable.s1Port()),
          String.format("s2-%d port %d", cable.s2(), cable.s2Port()));
    }
  }

  void follow(String instruction) {
    Matcher m;
    if ((m = MOVE.matcher(instruction)).matches()) {
      disconnect(m.group(1), m.group(2));
      assertEquals(m.group(2).substring(0, 2), m.group(3).substring(0, 2), "same stage");
      connect(m.group(1), m.group(3));
    } else if ((m = UNPLUG.matcher(instruction)).matches()) {
      assertNull(looseCable, "one loose cable at a time");
      disconnect(m.group(1), m.group(2));
      looseCable = m.group(1);
    } else if ((m = PLUG.matcher(instruction)).matches()) {
      assertEquals(looseCable, m.group(1));
      looseCable = null;
      connect(m.group(1), m.group(2));
    } else if ((m = ADD.matcher(instruction)).matches()) {
      connect(m.group(1), m.group(2));
    } else {
      m = REMOVE.matcher(instruction);
      assertTrue(m.matches(), instruction);
      disconnect(m.group(1), m.group(2));
    }
  }

  private void connect(String a, String b) {
    assertTrue(!a.equals(looseCable) && !b.equals(looseCable), "port holds the loose cable");
    assertNull(peers.put(a, b), a + " is in use");
    assertNull(peers.put(b, a), b + " is in use");
  }

  private void disconnect(String a, String b) {
    assertNotNull(peers.get(a), a + " has no cable");
    assertEquals(b, peers.remove(a));
    assertEquals(a, peers.remove(b));
  }

  /** Every cable as "s1 port - s2 port"; no cable may be loose. */
  Set<String> cables() {
    assertNull(looseCable, "loose cable at the end");
    Set<String> cables = new TreeSet<>();
    peers.forEach(
        (port, peer) -> {
          if (port.startsWith("s1")) {
            cables.add(port + " - " + peer);
          }
        });
    return cables;
  }
}
