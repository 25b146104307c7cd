package org.evenweave.engine.port;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** Properties of switches, besides the fabric, that the table compiler needs. */
public interface SwitchTraits {
  /** Where nothing is known of any switch. */
  SwitchTraits UNKNOWN = new SwitchTraits() {};

  /**
   * The rules that every switch holds whatever the fabric is, because this runtime needs them. They
   * are part of the tables that are wanted, so that they are audited and repaired like all others.
   */
  default Collection<FlowRule> standingRules() {
    return List.of();
  }

  /**
   * Whether the groups of a switch hash flows with a basis of that switch's own, and UDP ports too.
   * Elsewhere the switch's own hash decides: Open vSwitch's is then the same in every switch, and
   * sends all UDP flows between two hosts one way.
   */
  default boolean seedsHash(String switchId) {
    return false;
  }

  /**
   * How a switch holds groups by what it says it is ({@link SwitchTarget#ofHardware}); asked where
   * the fabric file does not say. The same for as long as the switch is connected.
   */
  default SwitchTarget target(String switchId) {
    return SwitchTarget.OVS_UNIT_BUCKETS;
  }

  /**
   * How much the tables of a switch hold by what it says itself, or by what it refused. The lower
   * one of this and what is configured counts.
   */
  default Limits limits(String switchId) {
    return Limits.NONE;
  }

  /**
   * Whether a switch can look a packet up in its table again (Open vSwitch's resubmit), which
   * guards of sources need.
   */
  default boolean looksUpAgain(String switchId) {
    return target(switchId) != SwitchTarget.REPLICATED_ENTRIES;
  }

  /**
   * Whether an Open vSwitch may be given {@linkplain SelectGroup#isLarge large tables} where the
   * fabric file does not say.
   */
  default boolean mayChooseLargeTables(String switchId) {
    return true;
  }

  /**
   * Whose a rule with this cookie is, for people: {@code application org.onosproject.fwd}; empty if
   * the cookie does not say.
   */
  default String ownerOf(long cookie) {
    return "";
  }

  /** Whether {@link SouthboundPort#removeForeign} deletes others' rules. */
  default boolean removesForeign() {
    return false;
  }

  /**
   * The ids that a new group of a switch may get if no group of the switch has them, best first. A
   * group has the same id here, in the switch and in REST, logs and events.
   */
  default IntStream groupIds(String switchId) {
    return IntStream.iterate(1, id -> id + 1);
  }
}
