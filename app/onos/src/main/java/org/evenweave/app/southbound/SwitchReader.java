package org.evenweave.app.southbound;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.ExpiredPacketReports;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTable;
import org.evenweave.openflow.LargeTableReader;
import org.evenweave.openflow.PortCodec;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.Writeable;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/**
 * Reads the switches that this instance is master of, by statistics requests.
 *
 * <p>ONOS's providers receive the replies too. They take a flow statistics reply for that to their
 * own poll, which requests the same. They keep a group description reply until a group statistics
 * reply arrives whose transaction id is one less, and vice versa; processing such a pair takes them
 * time quadratic in the number of buckets. So groups are read unpaired, with a few transaction ids
 * in turn, for each of which ONOS keeps one reply.
 */
final class SwitchReader {
  /** Far from ONOS's own transaction ids, which count up from 1. */
  private static final long GROUPS_XID = 0x4557_0000L;

  private static final long RULES_XID = 0x4558_0000L;
  private static final long COUNTERS_XID = 0x4559_0000L;
  private static final long EXPIRED_PACKETS_XID = 0x455a_0000L;
  private static final long PORTS_XID = 0x455b_0000L;

  /** Enough that a request has its reply, or has timed out, before its id is used again. */
  private static final int GROUPS_XIDS = 8;

  /** The transaction ids of requests for rules wrap around after so many. */
  private static final long RULES_XIDS = 0x1_0000L;

  private final OpenFlowChannel channel;
  private final GroupFeatures features;
  private final Map<DeviceId, AtomicLong> groupRequests = new ConcurrentHashMap<>();
  private final AtomicLong ruleRequests = new AtomicLong();
  private final AtomicLong portRequests = new AtomicLong();

  /**
   * @param channel to the switches of this instance
   */
  SwitchReader(OpenFlowChannel channel) {
    this.channel = channel;
    features = new GroupFeatures(channel);
  }

  /**
   * The groups and rules of a switch. Fails with a {@link SouthboundException} if this instance is
   * not its master, or the switch does not reply. Also has ONOS read the switch's ports: after a
   * partition its store can have ports as down that are up, until the switch reports them. And has
   * the switch send packets whose TTL is used up, and say how many groups it can have, here because
   * a connection forgets it and every switch is read soon after it connects or gets another master.
   */
  CompletableFuture<DeviceTables> tables(DeviceId device) {
    try {
      features.request(device);
      channel.send(
          device,
          factory ->
              List.of(
                  factory.buildPortDescStatsRequest().build(),
                  ExpiredPacketReports.request(factory, EXPIRED_PACKETS_XID)));
    } catch (SouthboundException e) {
      return CompletableFuture.failedFuture(e);
    }
    return groups(device, GROUPS_XID, SwitchReader::groupDescriptionRequest)
        .thenCombine(
            rules(device),
            (replies, entries) -> {
              Map<Integer, SelectGroup> groups = new HashMap<>();
              List<byte[]> foreignGroups = new ArrayList<>();
              LargeTableReader largeTables = new LargeTableReader(OwnEntries.FIRST_GROUP);
              for (OFStatsReply reply : replies) {
                for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) reply).getEntries()) {
                  int id = entry.getGroup().getGroupNumber();
                  if (OwnEntries.isGroup(id) || LargeTable.isPortGroup(id)) {
                    addGroup(HashedGroup.fromSwitch(entry), groups, largeTables);
                  } else {
                    foreignGroups.add(bytes(entry));
                  }
                }
              }
              Map<String, FlowRule> rules = new HashMap<>();
              List<byte[]> foreignRules = new ArrayList<>();
              Map<Integer, Long> refused = new HashMap<>();
              for (OFFlowStatsEntry entry : entries) {
                if (!entry.getCookie().equals(OwnEntries.COOKIE) || !largeTables.add(entry)) {
                  OwnEntries.rule(entry)
                      .ifPresentOrElse(
                          rule -> {
                            rules.put(rule.key(), rule);
                            if (rule.match() == FlowRule.Match.REFUSED_SOURCE) {
                              refused.merge(
                                  rule.outPort(), entry.getPacketCount().getValue(), Long::sum);
                            }
                          },
                          () -> foreignRules.add(bytes(entry)));
                }
              }
              largeTables.addTo(groups);
              return new DeviceTables(
                  new SwitchTables(groups, rules),
                  foreignRules,
                  foreignGroups,
                  refused,
                  features.of(device));
            });
  }

  private static void addGroup(
      OFGroupDescStatsEntry entry, Map<Integer, SelectGroup> groups, LargeTableReader tables) {
    if (!tables.add(entry)) {
      groups.put(entry.getGroup().getGroupNumber(), GroupCodec.read(entry));
    }
  }

  private static byte[] bytes(Writeable entry) {
    ByteBuf bytes = Unpooled.buffer();
    entry.writeTo(bytes);
    return ByteBufUtil.getBytes(bytes);
  }

  /** What the groups and rules have matched so far; fails as {@link #tables} does. */
  CompletableFuture<SwitchCounters> counters(DeviceId device) {
    return groups(device, COUNTERS_XID, SwitchReader::groupStatisticsRequest)
        .thenCombine(
            rules(device),
            (replies, entries) -> {
              Map<Integer, Long> groups = new HashMap<>();
              for (OFStatsReply reply : replies) {
                for (OFGroupStatsEntry entry : ((OFGroupStatsReply) reply).getEntries()) {
                  int id = entry.getGroup().getGroupNumber();
                  if (OwnEntries.isGroup(id)) {
                    groups.put(id, entry.getPacketCount().getValue());
                  }
                }
              }
              Map<FlowRule, Long> rules = new HashMap<>();
              for (OFFlowStatsEntry entry : entries) {
                OwnEntries.rule(entry)
                    .ifPresent(rule -> rules.put(rule, entry.getPacketCount().getValue()));
              }
              return new SwitchCounters(groups, rules);
            });
  }

  /** What the rules that route prefixes have counted; fails as {@link #tables} does. */
  CompletableFuture<Collection<RuleCount>> routes(DeviceId device) {
    return rules(device)
        .thenApply(
            entries -> {
              List<RuleCount> counts = new ArrayList<>();
              for (OFFlowStatsEntry entry : entries) {
                OwnEntries.rule(entry)
                    .filter(FlowRule::isRoute)
                    .ifPresent(rule -> counts.add(FlowCodec.count(rule, entry)));
              }
              return counts;
            });
  }

  /**
   * What the switch's ports have counted, by port number; fails as {@link #tables} does. ONOS takes
   * the reply for that to its own poll, which requests the same.
   */
  CompletableFuture<Map<Integer, PortCounters>> ports(DeviceId device) {
    return channel
        .request(
            device,
            PORTS_XID + portRequests.getAndIncrement() % RULES_XIDS,
            (factory, xid) ->
                factory.buildPortStatsRequest().setXid(xid).setPortNo(OFPort.ANY).build())
        .thenApply(
            replies -> {
              Map<Integer, PortCounters> counters = new HashMap<>();
              for (OFStatsReply reply : replies) {
                for (OFPortStatsEntry entry : ((OFPortStatsReply) reply).getEntries()) {
                  // Reserved ports, as LOCAL, are negative.
                  if (entry.getPortNo().getPortNumber() > 0) {
                    counters.put(entry.getPortNo().getPortNumber(), PortCodec.counters(entry));
                  }
                }
              }
              return counters;
            });
  }

  private CompletableFuture<List<OFFlowStatsEntry>> rules(DeviceId device) {
    return channel
        .request(
            device,
            RULES_XID + ruleRequests.getAndIncrement() % RULES_XIDS,
            SwitchReader::allRulesRequest)
        .thenApply(
            replies -> {
              List<OFFlowStatsEntry> entries = new ArrayList<>();
              replies.forEach(reply -> entries.addAll(((OFFlowStatsReply) reply).getEntries()));
              return entries;
            });
  }

  private CompletableFuture<List<OFStatsReply>> groups(
      DeviceId device, long firstXid, BiFunction<OFFactory, Long, OFMessage> request) {
    long count = groupRequests.computeIfAbsent(device, any -> new AtomicLong()).getAndIncrement();
    // Even, so that no two ids are consecutive.
    return channel.request(device, firstXid + 2 * (count % GROUPS_XIDS), request);
  }

  /**
   * The same request as ONOS's own poll: ONOS takes rules that are not in the reply for missing.
   */
  private static OFMessage allRulesRequest(OFFactory factory, long xid) {
    return factory
        .buildFlowStatsRequest()
        .setXid(xid)
        .setMatch(factory.matchWildcardAll())
        .setTableId(TableId.ALL)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .build();
  }

  private static OFMessage groupStatisticsRequest(OFFactory factory, long xid) {
    return factory.buildGroupStatsRequest().setXid(xid).setGroup(OFGroup.ALL).build();
  }

  private static OFMessage groupDescriptionRequest(OFFactory factory, long xid) {
    return factory.buildGroupDescStatsRequest().setXid(xid).build();
  }
}
