package org.evenweave.openflow;

import java.util.Map;
import org.evenweave.engine.headers.HeaderField;

/** Fields that Open vSwitch has under two numbers (its meta-flow.h): NXM's and OpenFlow's. */
final class NiciraFields {
  private static final int NXM_OF = 0;
  private static final int NXM_NX = 1;

  /** Those of the same width and meaning. */
  private static final Map<Integer, Integer> SAME =
      Map.ofEntries(
          Map.entry(HeaderField.of(NXM_OF, 1), HeaderField.ETH_DST),
          Map.entry(HeaderField.of(NXM_OF, 2), HeaderField.ETH_SRC),
          Map.entry(HeaderField.of(NXM_OF, 3), HeaderField.ETH_TYPE),
          Map.entry(HeaderField.of(NXM_OF, 6), HeaderField.IP_PROTO),
          Map.entry(HeaderField.of(NXM_OF, 7), HeaderField.IPV4_SRC),
          Map.entry(HeaderField.of(NXM_OF, 8), HeaderField.IPV4_DST),
          Map.entry(HeaderField.of(NXM_OF, 9), HeaderField.TCP_SRC),
          Map.entry(HeaderField.of(NXM_OF, 10), HeaderField.TCP_DST),
          Map.entry(HeaderField.of(NXM_OF, 11), HeaderField.UDP_SRC),
          Map.entry(HeaderField.of(NXM_OF, 12), HeaderField.UDP_DST),
          Map.entry(HeaderField.of(NXM_OF, 15), HeaderField.ARP_OP),
          Map.entry(HeaderField.of(NXM_OF, 16), HeaderField.ARP_SPA),
          Map.entry(HeaderField.of(NXM_OF, 17), HeaderField.ARP_TPA),
          Map.entry(HeaderField.of(NXM_NX, 17), HeaderField.ARP_SHA),
          Map.entry(HeaderField.of(NXM_NX, 18), HeaderField.ARP_THA));

  private NiciraFields() {}

  static int number(int oxmClass, int field) {
    int own = HeaderField.of(oxmClass, field);
    return SAME.getOrDefault(own, own);
  }

  /** Whether another number may mean bits of the same field, so that writing it is not exact. */
  static boolean mayOverlapOthers(int oxmClass, int field) {
    return oxmClass == NXM_OF && !SAME.containsKey(HeaderField.of(oxmClass, field));
  }
}
