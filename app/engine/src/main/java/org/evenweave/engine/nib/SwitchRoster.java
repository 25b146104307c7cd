package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Which switches can be programmed, which are held, and which are configured and not connected.
 * Most events are of links, and change none of it: then it is not looked at again.
 */
final class SwitchRoster {
  private final KnownSwitches switches;
  private Fabric intended;
  private Fabric numbered;
  private Collection<String> connected;
  private Collection<String> forwarding;
  private boolean mayChangeByItself;
  private BitSet present;
  private BitSet held;
  private List<String> missing;

  SwitchRoster(KnownSwitches switches) {
    this.switches = switches;
  }

  /**
   * Brings it up to date.
   *
   * @param isPresent whether a switch can be programmed; of one whose tables are known this changes
   *     once at most until it leaves
   */
  void update(LinkNumbering numbering, Fabric newIntended, Predicate<String> isPresent) {
    if (!mayChangeByItself
        && connected == switches.connectedIds()
        && forwarding == switches.forwardingIds()
        && intended == newIntended
        && numbering.fabric().hasNumberingOf(numbered)) {
      return;
    }
    connected = switches.connectedIds();
    forwarding = switches.forwardingIds();
    intended = newIntended;
    numbered = numbering.fabric();
    present = numbering.switches(isPresent);
    held = numbering.switches(switches::forwards);
    held.andNot(present);
    Set<String> connectedSet = new HashSet<>(connected);
    List<String> ids = new ArrayList<>(intended.switchIds());
    ids.removeIf(connectedSet::contains);
    missing = Collections.unmodifiableList(ids);
    mayChangeByItself = present.cardinality() < connected.size();
  }

  /** The switches that can be programmed, by number; not to be changed. */
  BitSet present() {
    return present;
  }

  /** The switches that forward and cannot be programmed now, by number; not to be changed. */
  BitSet held() {
    return held;
  }

  /** The configured switches that are not connected. */
  List<String> missing() {
    return missing;
  }
}
