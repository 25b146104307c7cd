package org.evenweave.app.southbound;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupModFailedCode;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFQueueStatsRequest;
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

    String hardwareDescription();
  }

  /** As ONOS's interface OpenFlowMessageListener. */
  public interface Listener {
    void handleIncomingMessage(Dpid dpid, OFMessage message);

    void handleOutgoingMessage(Dpid dpid, List<OFMessage> messages);
  }

  /** The part of ONOS's interface OpenFlowController that is used. */
  public interface Controller {
    Switch getSwitch(Dpid dpid);

    void write(Dpid dpid, OFMessage message);

    void addMessageListener(Listener listener);

    void removeMessageListener(Listener listener);
  }

  /** Keeps what is written; the test answers. */
  static final class Connected implements Controller {
    final List<OFMessage> written = new ArrayList<>();
    boolean connected = true;
    RoleState role = RoleState.MASTER;
    Listener listener;

    /** What ONOS drops, or keeps for later, without telling. */
    Predicate<OFMessage> unsent = message -> false;

    /** Runs when a message is sent, before ONOS reports that. */
    Consumer<OFMessage> beforeReport = message -> {};

    String hardware = "Open vSwitch";
    private Switch connection = new ConnectedSwitch(this);

    /** The switch begins another session. */
    void reconnect() {
      connection = new ConnectedSwitch(this);
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

    void answerRules(DeviceId device, long xid, OFFlowStatsEntry... entries) {
      say(device, rules(xid, entries));
    }

    /** The last message written of a kind. */
    <M extends OFMessage> M last(Class<M> kind) {
      return written.stream()
          .filter(kind::isInstance)
          .map(kind::cast)
          .reduce((before, after) -> after)
          .orElseThrow();
    }

    /** Confirms the last chunk of changes. */
    void confirm(DeviceId device) {
      say(
          device,
          OF.buildQueueStatsReply()
              .setXid(last(OFQueueStatsRequest.class).getXid())
              .setEntries(List.of())
              .build());
    }

    /** Refuses a message. */
    void refuse(DeviceId device, OFMessage message) {
      say(
          device,
          OF.errorMsgs()
              .buildGroupModFailedErrorMsg()
              .setXid(message.getXid())
              .setCode(OFGroupModFailedCode.OUT_OF_GROUPS)
              .build());
    }

    /** The group-mods and flow-mods written. */
    List<OFMessage> changes() {
      return written.stream()
          .filter(message -> message instanceof OFGroupMod || message instanceof OFFlowMod)
          .collect(Collectors.toList());
    }

    @Override
    public Switch getSwitch(Dpid dpid) {
      return connected ? connection : null;
    }

    @Override
    public void write(Dpid dpid, OFMessage message) {
      if (unsent.test(message)) {
        return;
      }
      written.add(message);
      beforeReport.accept(message);
      if (listener != null) {
        listener.handleOutgoingMessage(dpid, List.of(message));
      }
    }

    @Override
    public void addMessageListener(Listener newListener) {
      listener = newListener;
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
    private final Connected controller;

    ConnectedSwitch(Connected controller) {
      this.controller = controller;
    }

    @Override
    public String hardwareDescription() {
      return controller.hardware;
    }

    @Override
    public OFFactory factory() {
      return OF;
    }

    @Override
    public RoleState getRole() {
      return controller.role;
    }
  }
}
