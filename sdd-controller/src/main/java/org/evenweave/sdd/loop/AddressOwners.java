package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.session.Directory;

/**
 * The owners of addresses. A host with an entry in the configuration gets the announced addresses
 * inside that entry. Any other host gets only single addresses, and none that another connected
 * host announced before; it gets such an address when the other host disconnects. Not thread-safe.
 */
final class AddressOwners {
  private static final int NOBODY = -1;

  private final Directory directory;

  /** Of each host that is connected, what it says; null for others. */
  private final List<List<IpPrefix>> claims;

  /** Of each host, what it has; of one that has gone, what nobody else has said since. */
  private final List<List<IpPrefix>> owned;

  AddressOwners(Directory directory) {
    this.directory = directory;
    this.claims = new ArrayList<>(Collections.nCopies(directory.count(), null));
    this.owned = new ArrayList<>(Collections.nCopies(directory.count(), List.of()));
  }

  /** What a host does not get, and why. */
  static final class Refusal {
    private final IpPrefix prefix;
    private final String why;

    private Refusal(IpPrefix prefix, String why) {
      this.prefix = prefix;
      this.why = why;
    }

    IpPrefix prefix() {
      return prefix;
    }

    String why() {
      return why;
    }
  }

  /** A host has connected and announces its addresses, which replace those announced before. */
  void connected(int number, List<IpPrefix> announced) {
    claims.set(number, List.copyOf(announced));
    assignOwners();
  }

  /** A host has disconnected: others get the addresses they announced; it keeps the rest. */
  void disconnected(int number) {
    claims.set(number, null);
    assignOwners();
  }

  /** What a host has. */
  List<IpPrefix> of(int number) {
    return owned.get(number);
  }

  /** The addresses that a connected host announced and did not get. */
  List<Refusal> refused(int number) {
    List<Refusal> refusals = new ArrayList<>();
    List<IpPrefix> announced = claims.get(number);
    for (IpPrefix prefix : announced == null ? List.<IpPrefix>of() : announced) {
      if (!owned.get(number).contains(prefix)) {
        refusals.add(new Refusal(prefix, why(number, prefix)));
      }
    }
    return refusals;
  }

  private String why(int number, IpPrefix prefix) {
    if (!isAllowed(number, prefix)) {
      return directory.hasAddresses(number)
          ? "addresses of the configuration do not give it to this host"
          : "a prefix needs addresses in the configuration";
    }
    int owner = ownerOf(prefix);
    return owner == NOBODY ? "" : directory.nameOf(owner) + " has it";
  }

  private boolean isAllowed(int number, IpPrefix prefix) {
    return directory.hasAddresses(number)
        ? directory.addressesOf(number).stream().anyMatch(given -> given.contains(prefix))
        : prefix.isOneAddress() && !isGivenToAnother(number, prefix);
  }

  private boolean isGivenToAnother(int number, IpPrefix prefix) {
    for (int other = 0; other < directory.count(); other++) {
      if (other != number
          && directory.addressesOf(other).stream().anyMatch(given -> given.contains(prefix))) {
        return true;
      }
    }
    return false;
  }

  private int ownerOf(IpPrefix prefix) {
    for (int number = 0; number < owned.size(); number++) {
      if (owned.get(number).contains(prefix)) {
        return number;
      }
    }
    return NOBODY;
  }

  /**
   * A connected host keeps its addresses; the others go to the hosts that announced them, in the
   * order of their numbers.
   */
  private void assignOwners() {
    Map<IpPrefix, Integer> ownerOf = new LinkedHashMap<>();
    for (int number = 0; number < owned.size(); number++) {
      List<IpPrefix> announced = claims.get(number);
      for (IpPrefix prefix : owned.get(number)) {
        if (announced != null && announced.contains(prefix)) {
          ownerOf.put(prefix, number);
        }
      }
    }
    for (int number = 0; number < owned.size(); number++) {
      List<IpPrefix> announced = claims.get(number);
      for (IpPrefix prefix : announced == null ? List.<IpPrefix>of() : announced) {
        if (isAllowed(number, prefix)) {
          ownerOf.putIfAbsent(prefix, number);
        }
      }
    }
    for (int number = 0; number < owned.size(); number++) {
      if (claims.get(number) == null) {
        for (IpPrefix prefix : owned.get(number)) {
          ownerOf.putIfAbsent(prefix, number);
        }
      }
    }
    List<List<IpPrefix>> next = new ArrayList<>();
    owned.forEach(each -> next.add(new ArrayList<>()));
    ownerOf.forEach((prefix, number) -> next.get(number).add(prefix));
    for (int number = 0; number < owned.size(); number++) {
      // The same list as before where nothing has changed.
      if (!owned.get(number).equals(next.get(number))) {
        owned.set(number, List.copyOf(next.get(number)));
      }
    }
  }
}
