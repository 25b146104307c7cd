package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a switch holds that this instance is master of, from the switch itself: groups with
 * their weights (ONOS's group store compares buckets without them), and rules (ONOS's flow store is
 * empty after a restart, and behind the switch after a change of master).
 *
 * <p>ONOS's providers see the replies too. A reply of rules they take for that to their own poll,
 * which asks for the same. One of groups they keep until one of group statistics comes whose
 * transaction id is the one before; taking in such a pair costs them time that grows with the
 * square of the number of buckets. So groups are read unpaired, with few transaction ids in turn,
 * for each of which ONOS keeps one reply; what ONOS shall learn from ({@link #letOnosRead}) is
 * asked for in addition, with transaction ids of its own.
 *
 * <p>ONOS does not say which port a bucket of a SELECT group watches, so that a switch would go on
 * sending to a dead port until it is told otherwise. A reading tells of such groups; {@link
 * #watchedGroups} sets them to watch, bucket by bucket as they are. That changes the switch, so it
 * is for callers that may change it now.
 */
public final class SwitchReader {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchReader.class);

  /** Far from ONOS's own, which count up from 1. */
  private static final long GROUPS_XID = 0x4557_0000L;

  private static final long RULES_XID = 0x4558_0000L;
  private static final long PAIRED_XID = 0x4559_0000L;

  /** Before one switch is asked with the same again, it has answered or was long given up. */
  private static final int GROUPS_XIDS = 8;

  /** So many, and then from the first again. */
  private static final long OTHER_XIDS = 0x1_0000L;

  private final OpenFlowChannel channel;
  private final FlowTranslator translator;
  private final Map<DeviceId, AtomicLong> groupsAsked = new ConcurrentHashMap<>();
  private final AtomicLong rulesAsked = new AtomicLong();
  private final AtomicLong paired = new AtomicLong();

  /**
   * @param channel to the switches of this instance
   */
  public SwitchReader(OpenFlowChannel channel, FlowTranslator translator) {
    this.channel = channel;
    this.translator = translator;
  }

  /**
   * Evenweave's groups on a switch, after those that did not watch their ports were set to. Fails
   * with a {@link SouthboundException} if this instance is not its master or the switch does not
   * answer.
   */
  public CompletableFuture<List<SelectGroup>> watchedGroups(DeviceId device) {
    return described(device)
        .thenCompose(
            entries -> {
              List<OFGroupDescStatsEntry> unwatched =
                  entries.stream()
                      .filter(GroupTranslator::isUnwatched)
                      .collect(Collectors.toList());
              if (unwatched.isEmpty()) {
                return CompletableFuture.completedFuture(entries);
              }
              channel.send(
                  device,
                  factory ->
                      unwatched.stream()
                          .map(entry -> GroupTranslator.watched(factory, entry))
                          .collect(Collectors.toList()));
              // A switch does what it is told in the order it is told.
              return described(device);
            })
        .thenApply(
            entries -> entries.stream().map(GroupTranslator::read).collect(Collectors.toList()));
  }

  /**
   * Evenweave's groups and rules on a switch, which this does not change; fails as {@link
   * #watchedGroups} does. Lets ONOS read the switch's ports in passing: after a partition its store
   * can hold them for down that are up, until the switch says something of them.
   */
  public CompletableFuture<ReadResult> tables(DeviceId device) {
    try {
      channel.send(device, factory -> List.of(factory.buildPortDescStatsRequest().build()));
    } catch (SouthboundException e) {
      return CompletableFuture.failedFuture(e);
    }
    return described(device)
        .thenCombine(
            rules(device),
            (entries, rules) -> {
              Map<Integer, SelectGroup> byId = new HashMap<>();
              Set<Integer> unwatched = new HashSet<>();
              for (OFGroupDescStatsEntry entry : entries) {
                SelectGroup group = GroupTranslator.read(entry);
                byId.put(group.id(), group);
                if (GroupTranslator.isUnwatched(entry)) {
                  unwatched.add(group.id());
                }
              }
              return new ReadResult(new SwitchTables(byId, rules), unwatched);
            });
  }

  /**
   * Lets ONOS read a switch's groups as it else does every 10 s: only then does it forget those
   * that were removed, and until then it cannot add one anew. Does nothing if this instance is not
   * the switch's master.
   */
  public void letOnosRead(DeviceId device) {
    long xid = PAIRED_XID + paired.getAndAdd(2) % OTHER_XIDS;
    try {
      channel.send(
          device,
          factory -> List.of(groupStatistics(factory, xid), groupDescriptions(factory, xid + 1)));
    } catch (SouthboundException e) {
      LOG.debug("left to the next poll: {}", e.getMessage());
    }
  }

  private CompletableFuture<Map<String, FlowRule>> rules(DeviceId device) {
    return channel
        .ask(device, RULES_XID + rulesAsked.getAndIncrement() % OTHER_XIDS, SwitchReader::allRules)
        .thenApply(
            replies -> {
              Map<String, FlowRule> rules = new HashMap<>();
              for (OFStatsReply reply : replies) {
                for (OFFlowStatsEntry entry : ((OFFlowStatsReply) reply).getEntries()) {
                  translator.read(entry).ifPresent(rule -> rules.put(rule.key(), rule));
                }
              }
              return rules;
            });
  }

  private CompletableFuture<List<OFGroupDescStatsEntry>> described(DeviceId device) {
    long asked = groupsAsked.computeIfAbsent(device, unasked -> new AtomicLong()).getAndIncrement();
    return channel
        // Even, so that no two follow each other.
        .ask(device, GROUPS_XID + 2 * (asked % GROUPS_XIDS), SwitchReader::groupDescriptions)
        .thenApply(
            replies -> {
              List<OFGroupDescStatsEntry> found = new ArrayList<>();
              for (OFStatsReply reply : replies) {
                for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) reply).getEntries()) {
                  if (GroupIdRange.contains(entry.getGroup().getGroupNumber())) {
                    found.add(entry);
                  }
                }
              }
              return found;
            });
  }

  /** The same as ONOS's own poll asks: it takes what is not in the reply for missing. */
  private static OFMessage allRules(OFFactory factory, long xid) {
    return factory
        .buildFlowStatsRequest()
        .setXid(xid)
        .setMatch(factory.matchWildcardAll())
        .setTableId(TableId.ALL)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .build();
  }

  private static OFMessage groupStatistics(OFFactory factory, long xid) {
    return factory.buildGroupStatsRequest().setXid(xid).setGroup(OFGroup.ALL).build();
  }

  private static OFMessage groupDescriptions(OFFactory factory, long xid) {
    return factory.buildGroupDescStatsRequest().setXid(xid).build();
  }
}
