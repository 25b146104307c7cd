package org.evenweave.engine.headers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class HeaderClassTest {
  /** Three fields of two bits each, the last in the upper half of 128 bits: 64 headers. */
  private static final int[] FIELDS = {HeaderField.of(7, 1), HeaderField.of(7, 2), 12345};

  private static final int HEADERS = 64;

  private static HeaderClass random(SplittableRandom random) {
    HeaderClass made = HeaderClass.ALL;
    for (int i = 0; i < FIELDS.length; i++) {
      long mask = random.nextInt(4);
      long value = random.nextInt(4);
      made =
          i == 2
              ? made.with(FIELDS[i], value << 40, 0, mask << 40, 0)
              : made.with(FIELDS[i], 0, value, 0, mask);
    }
    return made;
  }

  private static HeaderClass header(int number) {
    return HeaderClass.ALL
        .with(FIELDS[0], 0, number & 3, 0, 3)
        .with(FIELDS[1], 0, number >> 2 & 3, 0, 3)
        .with(FIELDS[2], (long) (number >> 4) << 40, 0, 3L << 40, 0);
  }

  private static TreeSet<Integer> members(HeaderClass of) {
    TreeSet<Integer> members = new TreeSet<>();
    for (int number = 0; number < HEADERS; number++) {
      if (of != null && of.contains(header(number))) {
        members.add(number);
      }
    }
    return members;
  }

  @Property
  void operationsAreThoseOfSets(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HeaderClass a = random(random);
    HeaderClass b = random(random);
    TreeSet<Integer> both = members(a);
    both.retainAll(members(b));
    assertEquals(both, members(a.and(b)));
    assertEquals(both.isEmpty(), a.and(b) == null);
    assertEquals(both.isEmpty(), a.isDisjointFrom(b));
    assertEquals(members(a).containsAll(members(b)), a.contains(b));
    assertEquals(members(a).equals(members(b)), a.equals(b));
    TreeSet<Integer> rest = members(a);
    rest.removeAll(members(b));
    List<Integer> parts = new ArrayList<>();
    a.minus(b).forEach(part -> parts.addAll(members(part)));
    assertEquals(rest.size(), parts.size(), "parts overlap");
    assertEquals(rest, new TreeSet<>(parts));
  }

  @Property
  void writingAFieldIsDoneToEachHeader(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HeaderClass a = random(random);
    long value = random.nextInt(4);
    long mask = random.nextInt(4);
    TreeSet<Integer> written = new TreeSet<>();
    for (int number : members(a)) {
      written.add((int) ((number & ~mask) | (value & mask)));
    }
    assertEquals(written, members(a.set(FIELDS[0], 0, value, 0, mask)));
  }

  @Test
  void noHeaderHasTwoValuesOfOneField() {
    HeaderClass ip = HeaderClass.ALL.with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4);
    assertNull(ip.with(HeaderField.ETH_TYPE, HeaderField.TYPE_ARP));
    assertEquals(ip, ip.with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4));
  }

  @Test
  void anExactValueMinusItsPrefixIsNothing() {
    HeaderClass host = HeaderClass.ALL.with(HeaderField.IPV4_DST, 0x0a000201L);
    HeaderClass prefix = HeaderClass.ALL.with(HeaderField.IPV4_DST, 0x0a000200L, 0xffffff00L);
    assertTrue(prefix.contains(host));
    assertEquals(List.of(), host.minus(prefix));
    assertEquals(8, prefix.minus(host).size());
  }

  @Test
  void aPacketComesWithoutMetadataAndRegisters() {
    HeaderClass register = HeaderClass.ALL.with(HeaderField.of(1, 3), 0, 5, 0, 0xffffffffL);
    assertNull(HeaderField.arriving(HeaderClass.ALL, 1).and(register));
    assertEquals(HeaderClass.ALL, HeaderField.leaving(HeaderField.arriving(HeaderClass.ALL, 1)));
  }

  @Test
  void matchesAreWrittenAsOvsOfctlWritesThem() {
    HeaderClass tcp =
        HeaderClass.ALL
            .with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4)
            .with(HeaderField.IP_PROTO, 6)
            .with(HeaderField.TCP_DST, 6001)
            .with(
                HeaderField.IPV4_DST,
                Integer.toUnsignedLong(Ipv4Prefix.parseAddress("10.0.2.0")),
                0xffffff00L);
    assertEquals("tcp,nw_dst=10.0.2.0/24,tp_dst=6001", tcp.toString());
    assertEquals("any", HeaderClass.ALL.toString());
    assertEquals(
        "reg3=0x5,in_port=3,dl_dst=02:00:00:00:00:01",
        HeaderClass.ALL
            .with(HeaderField.of(1, 3), 0, 5, 0, 0xffffffffL)
            .with(HeaderField.ETH_DST, 0x020000000001L)
            .with(HeaderField.IN_PORT, 3)
            .toString());
  }
}
