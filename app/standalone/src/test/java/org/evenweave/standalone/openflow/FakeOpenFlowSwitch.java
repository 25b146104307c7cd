package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.evenweave.openflow.TableEntry;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFBadActionCode;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupModFailedCode;
import org.projectfloodlight.openflow.protocol.OFGroupModify;
import org.projectfloodlight.openflow.protocol.OFHello;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFRoleRequestFailedCode;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableFeatures;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;

/**
 * An OpenFlow 1.3 switch without a wire: answers each message with messages, and keeps tables that
 * refuse what a real switch refuses (Open vSwitch 3.1 as the model).
 */
final class FakeOpenFlowSwitch {
  private static final OFFactory OF = OpenFlow13.FACTORY;

  final long datapathId;

  /** What the switch says that it is; null where it refuses to say. */
  String hardware = "Open vSwitch";

  /** The most groups of type SELECT that it says it can have, and rules in its first table. */
  long mostGroups = 0xffff_ff00L;

  long mostRules = 1_000_000;

  /** Whether the switch can say which messages it sends. */
  boolean takesAsyncConfig = true;

  /** Whether the switch lives, as far as echoes show. */
  volatile boolean answersEchoes = true;

  final Map<Integer, OFPortDesc> ports = new TreeMap<>();
  final Map<Integer, OFGroupDescStatsEntry> groups = new LinkedHashMap<>();
  final List<OFFlowStatsEntry> flows = new ArrayList<>();

  /** Entries in one part of a multipart reply. */
  int entriesPerPart = 100;

  /** The generation id of the last master. */
  long generation = -1;

  /** Frames that packet-outs sent out, with their port. */
  Consumer<Map.Entry<Integer, byte[]>> onPacketOut = packet -> {};

  /** Runs when the controller has answered an echo, and so handled all that came before it. */
  Runnable onEchoReply = () -> {};

  OFControllerRole role = OFControllerRole.ROLE_EQUAL;

  /** How many times yet another controller claims between a query of the role and the claim. */
  int claimsBetween;

  FakeOpenFlowSwitch(long datapathId, int... upPorts) {
    this.datapathId = datapathId;
    for (int port : upPorts) {
      ports.put(port, port(port, true, 10_000_000));
    }
  }

  static OFPortDesc port(int number, boolean up, long speedKbps) {
    return port(number, up ? Set.of() : Set.of(OFPortState.LINK_DOWN), speedKbps);
  }

  static OFPortDesc port(int number, Set<OFPortState> state, long speedKbps) {
    return OF.buildPortDesc()
        .setPortNo(OFPort.of(number))
        .setHwAddr(MacAddress.of(number))
        .setName("port" + number)
        .setState(state)
        .setConfig(Set.<OFPortConfig>of())
        .setCurrSpeed(speedKbps)
        .build();
  }

  static OFHello hello() {
    return OF.buildHello()
        .setElements(
            List.of(OF.buildHelloElemVersionbitmap().setBitmaps(List.of(U32.of(0x10))).build()))
        .build();
  }

  OFPortStatus portStatus(OFPortReason reason, OFPortDesc port) {
    if (reason == OFPortReason.DELETE) {
      ports.remove(port.getPortNo().getPortNumber());
    } else {
      ports.put(port.getPortNo().getPortNumber(), port);
    }
    return OF.buildPortStatus().setReason(reason).setDesc(port).build();
  }

  static OFPacketIn packetIn(int port, byte[] frame) {
    return OF.buildPacketIn()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setReason(OFPacketInReason.ACTION)
        .setTableId(TableId.ZERO)
        .setCookie(OpenFlow13.ENGINE_COOKIE)
        .setMatch(OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build())
        .setTotalLen(frame.length)
        .setData(frame)
        .build();
  }

  /** The switch's answers, in order. */
  List<OFMessage> answers(OFMessage message) {
    long xid = message.getXid();
    if (message instanceof OFFeaturesRequest) {
      return List.of(
          OF.buildFeaturesReply()
              .setXid(xid)
              .setDatapathId(DatapathId.of(datapathId))
              .setAuxiliaryId(OFAuxId.MAIN)
              .build());
    }
    if (message instanceof OFAsyncSet && !takesAsyncConfig) {
      return List.of(
          OF.errorMsgs()
              .buildBadRequestErrorMsg()
              .setXid(xid)
              .setCode(OFBadRequestCode.BAD_TYPE)
              .build());
    }
    if (message instanceof OFDescStatsRequest) {
      return List.of(
          hardware == null
              ? OF.errorMsgs()
                  .buildBadRequestErrorMsg()
                  .setXid(xid)
                  .setCode(OFBadRequestCode.BAD_STAT)
                  .build()
              : OF.buildDescStatsReply().setXid(xid).setHwDesc(hardware).build());
    }
    if (message instanceof OFGroupFeaturesStatsRequest) {
      return List.of(
          OF.buildGroupFeaturesStatsReply().setXid(xid).setMaxGroupsSelect(mostGroups).build());
    }
    if (message instanceof OFTableFeaturesStatsRequest) {
      return List.of(
          OF.buildTableFeaturesStatsReply()
              .setXid(xid)
              .setFlags(Set.of(OFStatsReplyFlags.REPLY_MORE))
              .setEntries(List.of(table(0, mostRules)))
              .build(),
          OF.buildTableFeaturesStatsReply().setXid(xid).setEntries(List.of(table(1, 7))).build());
    }
    if (message instanceof OFPortDescStatsRequest) {
      return parts(
          new ArrayList<>(ports.values()),
          (entries, flags) ->
              OF.buildPortDescStatsReply().setXid(xid).setFlags(flags).setEntries(entries).build());
    }
    if (message instanceof OFRoleRequest) {
      return List.of(onRole((OFRoleRequest) message));
    }
    if (message instanceof OFEchoRequest && !answersEchoes) {
      return List.of();
    }
    if (message instanceof OFEchoRequest) {
      byte[] data = ((OFEchoRequest) message).getData();
      return List.of(OF.buildEchoReply().setXid(xid).setData(data).build());
    }
    if (message instanceof OFEchoReply) {
      onEchoReply.run();
    }
    if (message instanceof OFBarrierRequest) {
      return List.of(OF.buildBarrierReply().setXid(xid).build());
    }
    if (message instanceof OFGroupMod) {
      return onGroupMod((OFGroupMod) message);
    }
    if (message instanceof OFFlowMod) {
      return onFlowMod((OFFlowMod) message);
    }
    if (message instanceof OFFlowStatsRequest) {
      U64 cookie = ((OFFlowStatsRequest) message).getCookie();
      List<OFFlowStatsEntry> asked = new ArrayList<>(flows);
      U64 mask = ((OFFlowStatsRequest) message).getCookieMask();
      asked.removeIf(flow -> !flow.getCookie().and(mask).equals(cookie.and(mask)));
      return parts(
          asked,
          (entries, flags) ->
              OF.buildFlowStatsReply().setXid(xid).setFlags(flags).setEntries(entries).build());
    }
    if (message instanceof OFGroupDescStatsRequest) {
      return parts(
          new ArrayList<>(groups.values()),
          (entries, flags) ->
              OF.buildGroupDescStatsReply()
                  .setXid(xid)
                  .setFlags(flags)
                  .setEntries(entries)
                  .build());
    }
    if (message instanceof OFPacketOut) {
      OFPacketOut packet = (OFPacketOut) message;
      OFActionOutput output = (OFActionOutput) packet.getActions().get(0);
      onPacketOut.accept(Map.entry(output.getPort().getPortNumber(), packet.getData()));
    }
    return List.of();
  }

  private static OFTableFeatures table(int id, long mostRules) {
    return OF.buildTableFeatures()
        .setTableId(TableId.of(id))
        .setName("table " + id)
        .setMetadataMatch(U64.ZERO)
        .setMetadataWrite(U64.ZERO)
        .setMaxEntries(mostRules)
        .build();
  }

  private OFMessage onRole(OFRoleRequest request) {
    if (request.getRole() != OFControllerRole.ROLE_NOCHANGE) {
      if (claimsBetween > 0) {
        claimsBetween--;
        generation += 2;
      }
      long asked = request.getGenerationId().getValue();
      if (generation != -1 && asked - generation < 0) {
        return OF.errorMsgs()
            .buildRoleRequestFailedErrorMsg()
            .setXid(request.getXid())
            .setCode(OFRoleRequestFailedCode.STALE)
            .build();
      }
      generation = asked;
      role = request.getRole();
    }
    return OF.buildRoleReply()
        .setXid(request.getXid())
        .setRole(role)
        .setGenerationId(U64.of(generation))
        .build();
  }

  private List<OFMessage> onGroupMod(OFGroupMod mod) {
    int id = mod.getGroup().getGroupNumber();
    if (mod instanceof OFGroupAdd && groups.containsKey(id)) {
      return List.of(refused(mod, OFGroupModFailedCode.GROUP_EXISTS));
    }
    if (mod instanceof OFGroupModify && !groups.containsKey(id)) {
      return List.of(refused(mod, OFGroupModFailedCode.UNKNOWN_GROUP));
    }
    if (mod instanceof OFGroupDelete) {
      groups.remove(id);
      flows.removeIf(flow -> groupOf(flow.getActions()) == id);
    } else {
      groups.put(id, TableEntry.of(mod));
    }
    return List.of();
  }

  private List<OFMessage> onFlowMod(OFFlowMod mod) {
    if (mod instanceof OFFlowAdd) {
      int group = groupOf(mod.getActions());
      if (group != 0 && !groups.containsKey(group)) {
        return List.of(
            OF.errorMsgs()
                .buildBadActionErrorMsg()
                .setXid(mod.getXid())
                .setCode(OFBadActionCode.BAD_OUT_GROUP)
                .build());
      }
      flows.removeIf(flow -> isPlaceOf(mod, flow));
      flows.add(TableEntry.of(mod));
    } else if (mod instanceof OFFlowDeleteStrict) {
      flows.removeIf(flow -> isPlaceOf(mod, flow) && flow.getCookie().equals(mod.getCookie()));
    }
    return List.of();
  }

  private static boolean isPlaceOf(OFFlowMod mod, OFFlowStatsEntry flow) {
    return flow.getMatch().equals(mod.getMatch()) && flow.getPriority() == mod.getPriority();
  }

  private static int groupOf(List<? extends Object> actions) {
    return actions.stream()
        .filter(OFActionGroup.class::isInstance)
        .mapToInt(action -> ((OFActionGroup) action).getGroup().getGroupNumber())
        .findFirst()
        .orElse(0);
  }

  private static OFMessage refused(OFGroupMod mod, OFGroupModFailedCode code) {
    return OF.errorMsgs().buildGroupModFailedErrorMsg().setXid(mod.getXid()).setCode(code).build();
  }

  private interface Part<E> {
    OFMessage of(List<E> entries, Set<OFStatsReplyFlags> flags);
  }

  private <E> List<OFMessage> parts(List<E> entries, Part<E> part) {
    List<OFMessage> parts = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(entries.size(), from + entriesPerPart);
      boolean more = to < entries.size();
      parts.add(
          part.of(
              entries.subList(from, to), more ? Set.of(OFStatsReplyFlags.REPLY_MORE) : Set.of()));
      from = to;
    } while (from < entries.size());
    return parts;
  }
}
