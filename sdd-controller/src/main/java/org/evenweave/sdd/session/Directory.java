package org.evenweave.sdd.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.Limits;

/**
 * The clients that may connect: hosts, whose numbers are their places in the configured list, and
 * the circuit switch. Immutable.
 */
public final class Directory {
  /** The most hosts that fit the circuit switch's ports. */
  public static final int MAX_HOSTS = Limits.MAX_PORTS;

  private final List<String> names;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final String circuitSwitch;
  private final int circuitClasses;

  /** By host; none where the configuration does not say. */
  private final List<List<IpPrefix>> addresses;

  /**
   * @param names 1 to {@link #MAX_HOSTS} different names
   * @param circuitSwitch another name, or null if there is no circuit switch
   */
  public Directory(List<String> names, String circuitSwitch) {
    this(names, circuitSwitch, 0);
  }

  /**
   * @param circuitClasses how many classes of flows have queues for circuits of their own
   */
  public Directory(List<String> names, String circuitSwitch, int circuitClasses) {
    this(names, circuitSwitch, circuitClasses, Map.of());
  }

  /**
   * @param addresses that hosts may have, by their names; of hosts that are not in it nothing is
   *     known
   */
  public Directory(
      List<String> names,
      String circuitSwitch,
      int circuitClasses,
      Map<String, List<IpPrefix>> addresses) {
    if (names.isEmpty() || names.size() > MAX_HOSTS) {
      throw new IllegalArgumentException("hosts: must be 1 to " + MAX_HOSTS);
    }
    for (String name : names) {
      if (!Limits.isName(name)) {
        throw new IllegalArgumentException(
            "hosts: \"" + name + "\" is not a name of 1 to 63 letters, digits, . _ -");
      }
      if (numbers.putIfAbsent(name, numbers.size()) != null) {
        throw new IllegalArgumentException("hosts: \"" + name + "\" occurs twice");
      }
    }
    if (circuitSwitch != null
        && (!Limits.isName(circuitSwitch) || numbers.containsKey(circuitSwitch))) {
      throw new IllegalArgumentException(
          "circuitSwitch: \"" + circuitSwitch + "\" is invalid, or is a host's name");
    }
    this.circuitClasses = circuitClasses;
    this.names = List.copyOf(names);
    this.circuitSwitch = circuitSwitch;
    this.addresses = new ArrayList<>();
    names.forEach(name -> this.addresses.add(addresses.getOrDefault(name, List.of())));
  }

  /** All names; a host's number is its index. */
  public List<String> names() {
    return Collections.unmodifiableList(names);
  }

  /** The number of hosts. */
  public int count() {
    return names.size();
  }

  /** The number of the queue whose packets go through the packet switch. */
  public int packetQueue() {
    return names.size();
  }

  /**
   * The number of the queue for a destination.
   *
   * @param circuitClass 1 or more; 0 for what is in none, whose queue has the destination's number
   */
  public int queueTo(int destination, int circuitClass) {
    return circuitClass == 0 ? destination : 1 + circuitClass * names.size() + destination;
  }

  /** How many classes there are with queues to each destination, class 0 included. */
  public int circuitClasses() {
    return 1 + circuitClasses;
  }

  /** The destination of a queue for circuits, or -1 if it is another one. */
  public int destinationOf(int queue) {
    int count = names.size();
    if (queue < count) {
      return queue;
    }
    return queue == packetQueue() || queue >= queues() ? -1 : (queue - 1) % count;
  }

  /** The class of a queue for circuits. */
  public int circuitClassOf(int queue) {
    return queue < names.size() ? 0 : (queue - 1) / names.size();
  }

  /** How many queues each host must have, which are the first ones. */
  public int queues() {
    return 1 + (1 + circuitClasses) * names.size();
  }

  /** A host's number, or -1 if there is no such host. */
  public int numberOf(String name) {
    return numbers.getOrDefault(name, -1);
  }

  /** How many names may connect and have a say in the leader: hosts and the circuit switch. */
  public int clients() {
    return names.size() + (circuitSwitch == null ? 0 : 1);
  }

  /** The circuit switch's name, or null if there is none. */
  public String circuitSwitch() {
    return circuitSwitch;
  }

  /** Whether the configuration says what addresses a host may have. */
  public boolean hasAddresses(int number) {
    return !addresses.get(number).isEmpty();
  }

  /** What addresses a host may have; none where the configuration does not say. */
  public List<IpPrefix> addressesOf(int number) {
    return addresses.get(number);
  }

  /** A host's name. */
  public String nameOf(int number) {
    return names.get(number);
  }
}
