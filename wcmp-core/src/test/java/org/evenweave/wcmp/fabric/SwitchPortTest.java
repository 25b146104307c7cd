package org.evenweave.wcmp.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"s1-0/3", "of:00000000000000ff/65279", "a/999999999"})
  void itsTextReadsBackAsTheSame(String text) {
    SwitchPort port = SwitchPort.parse(text);
    assertEquals(text, port.toString());
    assertEquals(new SwitchPort(port.switchId(), port.number()), port);
    assertEquals(new SwitchPort(port.switchId(), port.number()).hashCode(), port.hashCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s1-0", "/3", "s1-0/", "s1-0/0", "s1-0/03", "s1-0/-1", "a/1/2"})
  void whatIsNoSwitchAndPortIsRefused(String text) {
    assertEquals(
        "must be switch/port with a port from 1, not \"" + text + "\"",
        assertThrows(IllegalArgumentException.class, () -> SwitchPort.parse(text)).getMessage());
  }

  @Test
  void portsOfASwitchAreOrderedByTheirNumber() {
    TreeSet<SwitchPort> ports = new TreeSet<>();
    for (String text : new String[] {"b/1", "a/10", "a-0/7", "a/2"}) {
      ports.add(SwitchPort.parse(text));
    }
    assertEquals("[a/2, a/10, a-0/7, b/1]", ports.toString());
    assertNotEquals(SwitchPort.parse("a/1"), SwitchPort.parse("b/1"));
  }
}
