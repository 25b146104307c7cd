package org.evenweave.app.southbound;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

/** What is used of ONOS's OpenFlow controller, whose interfaces are published nowhere. */
final class FakeOpenFlow {
  static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  private FakeOpenFlow() {}

  /** As ONOS's class of this name. */
  public static final class Dpid {
    private final URI uri;

    private Dpid(URI uri) {
      this.uri = uri;
    }

    public static Dpid dpid(URI uri) {
      return new Dpid(uri);
    }

    public static URI uri(Dpid dpid) {
      return dpid.uri;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Dpid && ((Dpid) other).uri.equals(uri);
    }

    @Override
    public int hashCode() {
      return uri.hashCode();
    }
  }

  /** As ONOS's enumeration of this name. */
  public enum RoleState {
    EQUAL,
    MASTER,
    SLAVE
  }

  /** As ONOS's interface OpenFlowSwitch. */
  public interface Switch {
    OFFactory factory();

    RoleState getRole();
  }

  /** As ONOS's interface OpenFlowMessageListener. */
  public interface Listener {
    void handleIncomingMessage(Dpid dpid, OFMessage message);

    void handleOutgoingMessage(Dpid dpid, List<OFMessage> messages);
  }

  /** As ONOS's interface OpenFlowEventListener. */
  public interface EventListener {
    void handleMessage(Dpid dpid, OFMessage message);
  }

  /** The part of ONOS's interface OpenFlowController that is used. */
  public interface Controller {
    Switch getSwitch(Dpid dpid);

    void write(Dpid dpid, OFMessage message);

    void addMessageListener(Listener listener);

    void removeMessageListener(Listener listener);

    void addEventListener(EventListener listener);

    void removeEventListener(EventListener listener);
  }

  /** Keeps what is written; the test answers. */
  static final class Connected implements Controller {
    final List<OFMessage> written = new ArrayList<>();
    boolean connected = true;
    RoleState role = RoleState.MASTER;
    Listener listener;
    EventListener eventListener;

    /** ONOS is through with a message of a switch's. */
    void processed(DeviceId device, OFMessage message) {
      eventListener.handleMessage(Dpid.dpid(device.uri()), message);
    }

    OFMessage lastWritten() {
      return written.get(written.size() - 1);
    }

    void say(DeviceId device, OFMessage message) {
      listener.handleIncomingMessage(Dpid.dpid(device.uri()), message);
    }

    void answerGroups(DeviceId device, long xid, OFGroupDescStatsEntry... entries) {
      say(device, groups(xid, Set.of(), entries));
    }

    /** Answers, and has ONOS work on the answer at once. */
    void answerRules(DeviceId device, long xid, OFFlowStatsEntry... entries) {
      OFMessage rules = rules(xid, entries);
      say(device, rules);
      processed(device, rules);
    }

    @Override
    public Switch getSwitch(Dpid dpid) {
      return connected ? new ConnectedSwitch(role) : null;
    }

    @Override
    public void write(Dpid dpid, OFMessage message) {
      written.add(message);
      if (listener != null) {
        listener.handleOutgoingMessage(dpid, List.of(message));
      }
    }

    @Override
    public void addMessageListener(Listener newListener) {
      listener = newListener;
    }

    @Override
    public void addEventListener(EventListener newListener) {
      eventListener = newListener;
    }

    @Override
    public void removeEventListener(EventListener oldListener) {
      if (oldListener.equals(eventListener)) {
        eventListener = null;
      }
    }

    @Override
    public void removeMessageListener(Listener oldListener) {
      if (oldListener.equals(listener)) {
        listener = null;
      }
    }
  }

  static OFStatsReply rules(long xid, OFFlowStatsEntry... entries) {
    return OF.buildFlowStatsReply().setXid(xid).setEntries(List.of(entries)).build();
  }

  static OFStatsReply groups(
      long xid, Set<OFStatsReplyFlags> flags, OFGroupDescStatsEntry... entries) {
    return OF.buildGroupDescStatsReply()
        .setXid(xid)
        .setFlags(flags)
        .setEntries(List.of(entries))
        .build();
  }

  static OFGroupDescStatsEntry entry(int id, OFGroupType type, OFBucket... buckets) {
    return OF.buildGroupDescStatsEntry()
        .setGroup(OFGroup.of(id))
        .setGroupType(type)
        .setBuckets(List.of(buckets))
        .build();
  }

  /** A bucket that watches its port. */
  static OFBucket bucket(int port, int weight) {
    return bucket(port, weight, OFPort.of(port));
  }

  static OFBucket bucket(int port, int weight, OFPort watched) {
    return OF.buildBucket()
        .setWeight(weight)
        .setWatchPort(watched)
        .setWatchGroup(OFGroup.ANY)
        .setActions(List.of(OF.actions().output(OFPort.of(port), 0)))
        .build();
  }

  private static final class ConnectedSwitch implements Switch {
    private final RoleState role;

    ConnectedSwitch(RoleState role) {
      this.role = role;
    }

    @Override
    public OFFactory factory() {
      return OF;
    }

    @Override
    public RoleState getRole() {
      return role;
    }
  }
}
