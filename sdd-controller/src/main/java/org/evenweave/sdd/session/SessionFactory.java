package org.evenweave.sdd.session;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.evenweave.sdd.protocol.ControlPacket;
import org.evenweave.sdd.protocol.ControllerMessages;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.Limits;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.protocol.wire.HelloDecoder;
import org.evenweave.sdd.protocol.wire.Role;

/** Decides which clients get a session, and creates the sessions. */
final class SessionFactory {
  private static final int KEY_BYTES = 32;
  private static final int ADDRESS_BYTES = 16;

  /** All edges' reports together are held in so small a part of the heap. */
  private static final int HEAP_PART = 8;

  /** 1,024 peers of 64 paths. */
  private static final long MOST_REPORT_BYTES = 16L << 20;

  private final Directory directory;
  private final Edges edges;
  private final SessionTerms terms;
  private final Sessions sessions;
  private final DatagramSender datagrams;
  private final ClientLogs logs;
  private final long reportBytes;
  private final SecureRandom random = new SecureRandom();

  SessionFactory(
      Directory directory,
      Edges edges,
      SessionTerms terms,
      Sessions sessions,
      DatagramSender datagrams) {
    this.directory = directory;
    this.edges = edges;
    this.terms = terms;
    this.sessions = sessions;
    this.datagrams = datagrams;
    Set<String> names = new HashSet<>(directory.names());
    names.addAll(edges.names());
    if (directory.circuitSwitch() != null) {
      names.add(directory.circuitSwitch());
    }
    this.logs = new ClientLogs(names);
    this.reportBytes =
        Math.min(
            MOST_REPORT_BYTES,
            Runtime.getRuntime().maxMemory() / HEAP_PART / Math.max(1, edges.names().size()));
  }

  ClientLogs logs() {
    return logs;
  }

  long periodNs() {
    return terms.periodNs();
  }

  /** How many queues this side has set up at each host. */
  int queues() {
    return directory.queues();
  }

  /** A session, and the message that accepts its client. */
  static final class Admission {
    private final Frame welcome;
    private final HostSession host;
    private final CircuitSession circuitSwitch;
    private final EdgeSession edge;

    private Admission(
        Frame welcome, HostSession host, CircuitSession circuitSwitch, EdgeSession edge) {
      this.welcome = welcome;
      this.host = host;
      this.circuitSwitch = circuitSwitch;
      this.edge = edge;
    }

    Frame welcome() {
      return welcome;
    }

    /** Null if the client is no host. */
    HostSession host() {
      return host;
    }

    /** Null if the client is no circuit switch. */
    CircuitSession circuitSwitch() {
      return circuitSwitch;
    }

    /** Null if the client is no edge. */
    EdgeSession edge() {
      return edge;
    }
  }

  /**
   * Admits a client or refuses it.
   *
   * @param certified the name in the client's certificate
   * @throws RefusedException and why
   */
  Admission admit(HelloDecoder hello, String certified, Channel channel) throws RefusedException {
    if (hello.protocolVersion() != Limits.PROTOCOL_VERSION) {
      throw new RefusedException(
          "this controller speaks version "
              + Limits.PROTOCOL_VERSION
              + " of the protocol, not "
              + hello.protocolVersion());
    }
    List<IpPrefix> addresses = addresses(hello.addresses());
    int[] portOf = portOf(hello.ports());
    String name = hello.name();
    if (!name.equals(certified)) {
      throw new RefusedException(
          "the certificate is \"" + certified + "\"'s, the hello \"" + name + "\"'s");
    }
    if (hello.role() == Role.EDGE) {
      return admitEdge(name, channel);
    }
    return hello.role() == Role.HOST
        ? admitHost(hello, name, addresses, channel)
        : admitSwitch(name, portOf, channel);
  }

  private Admission admitHost(
      HelloDecoder hello, String name, List<IpPrefix> addresses, Channel channel)
      throws RefusedException {
    int number = directory.numberOf(name);
    if (number < 0) {
      throw new RefusedException("there is no host \"" + name + "\" in the configuration");
    }
    if (hello.maxQueues() < directory.queues()) {
      throw new RefusedException(
          "needs "
              + directory.queues()
              + " queues: one per host and one for the packet switch"
              + (directory.circuitClasses() > 1 ? ", and one per host and circuit class" : ""));
    }
    long sessionId = newSessionId();
    byte[] key = newKey();
    InetAddress address = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    ControlPacket packet = new ControlPacket(sessionId, key);
    DatagramSender.Destination destination =
        datagrams.to(new InetSocketAddress(address, hello.datagramPort()), packet.bytes());
    HostSession host =
        new HostSession(
            channel,
            name,
            logs.of(name),
            number,
            hello.linkBps(),
            (int) hello.maxQueues(),
            hello.actingVersion(),
            addresses,
            packet,
            destination);
    return new Admission(
        ControllerMessages.welcome(sessionId, key, number, terms), host, null, null);
  }

  private Admission admitEdge(String name, Channel channel) throws RefusedException {
    int number = edges.names().indexOf(name);
    if (number < 0) {
      throw new RefusedException("there is no edge \"" + name + "\" in the configuration");
    }
    return new Admission(
        ControllerMessages.welcome(newSessionId(), newKey(), number, terms),
        null,
        null,
        new EdgeSession(channel, name, logs.of(name), reportBytes));
  }

  private Admission admitSwitch(String name, int[] portOf, Channel channel)
      throws RefusedException {
    if (!name.equals(directory.circuitSwitch())) {
      throw new RefusedException(
          "there is no circuit switch \"" + name + "\" in the configuration");
    }
    for (int number = 0; number < portOf.length; number++) {
      if (portOf[number] < 0) {
        throw new RefusedException("host \"" + directory.nameOf(number) + "\" has no port");
      }
    }
    return new Admission(
        ControllerMessages.welcome(newSessionId(), newKey(), 0, terms),
        null,
        new CircuitSession(channel, name, logs.of(name), portOf),
        null);
  }

  private static List<IpPrefix> addresses(HelloDecoder.AddressesDecoder rows)
      throws RefusedException {
    List<IpPrefix> addresses = new ArrayList<>();
    for (HelloDecoder.AddressesDecoder row : rows) {
      byte[] address = new byte[ADDRESS_BYTES];
      for (int i = 0; i < ADDRESS_BYTES; i++) {
        address[i] = (byte) row.address(i);
      }
      IpPrefix prefix = IpPrefix.ofMapped(address, row.prefixBits());
      row.skipInterfaceName();
      if (!prefix.isOfHosts()) {
        throw new RefusedException(prefix + " is not a host address");
      }
      if (!addresses.contains(prefix)) {
        addresses.add(prefix);
      }
    }
    return addresses;
  }

  /** Each host's port, or -1. */
  private int[] portOf(HelloDecoder.PortsDecoder rows) throws RefusedException {
    int[] portOf = new int[directory.count()];
    Arrays.fill(portOf, -1);
    for (HelloDecoder.PortsDecoder row : rows) {
      int port = row.port();
      String hostName = row.hostName();
      int number = directory.numberOf(hostName);
      if (number < 0) {
        throw new RefusedException("there is no host \"" + hostName + "\" in the configuration");
      }
      if (port >= Limits.MAX_PORTS) {
        throw new RefusedException("port " + port + " is not below " + Limits.MAX_PORTS);
      }
      portOf[number] = port;
    }
    return portOf;
  }

  /** Makes the session known; an older one of the same client ends. */
  void add(Admission admission) {
    if (admission.host != null) {
      sessions.add(admission.host);
    } else if (admission.edge != null) {
      edges.add(admission.edge);
    } else {
      sessions.add(admission.circuitSwitch);
    }
  }

  /** All but one are null. */
  void remove(HostSession host, CircuitSession circuitSwitch, EdgeSession edge) {
    if (host != null) {
      sessions.remove(host);
    } else if (edge != null) {
      edges.remove(edge);
    } else {
      sessions.remove(circuitSwitch);
    }
  }

  private long newSessionId() {
    long id = 0;
    while (id == 0 || id == -1) {
      id = random.nextLong();
    }
    return id;
  }

  private byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return key;
  }
}
