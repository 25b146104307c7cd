package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.GroupCodec;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
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
 * Reads switches by statistics requests: groups with their weights (ONOS's group store compares
 * buckets without them), and rules (ONOS's flow store is empty after a restart, and stale after a
 * change of master). Any instance can read any switch, by way of its master: every instance has a
 * reader, and serves the requests of the others.
 *
 * <p>ONOS's providers receive the replies too. They take a flow statistics reply for that to their
 * own poll, which requests the same. They keep a group description reply until a group statistics
 * reply arrives whose transaction id is one less; processing such a pair takes them time quadratic
 * in the number of buckets. So groups are read unpaired, with a few transaction ids in turn, for
 * each of which ONOS keeps one reply; what ONOS is to process ({@link #pollForOnos}) is requested
 * in addition, with transaction ids of its own.
 *
 * <p>ONOS sets no watch port in the buckets of a SELECT group, so that a switch keeps sending to a
 * port that is down until the group changes. A read reports such groups; {@link #watchedGroups}
 * sets their watch ports and nothing else. That changes the switch, so only callers that may change
 * it now use it.
 */
public final class SwitchReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchReader.class);

  /** Far from ONOS's own transaction ids, which count up from 1. */
  private static final long GROUPS_XID = 0x4557_0000L;

  private static final long RULES_XID = 0x4558_0000L;
  private static final long PAIRED_XID = 0x4559_0000L;

  /** Enough that a request has its reply, or has timed out, before its id is used again. */
  private static final int GROUPS_XIDS = 8;

  /** The other transaction ids wrap around after so many. */
  private static final long OTHER_XIDS = 0x1_0000L;

  private static final MessageSubject GROUPS = new MessageSubject("evenweave-watched-groups");
  private static final MessageSubject TABLES = new MessageSubject("evenweave-read-tables");
  private static final MessageSubject POLL_FOR_ONOS = new MessageSubject("evenweave-let-onos-read");

  private final OpenFlowChannel channel;
  private final FlowTranslator translator;
  private final ClusterCommunicationService cluster;
  private final MasterClient master;
  private final Map<DeviceId, AtomicLong> groupRequests = new ConcurrentHashMap<>();
  private final AtomicLong ruleRequests = new AtomicLong();
  private final AtomicLong pollRequests = new AtomicLong();

  /**
   * Tables read from a switch, and which of its groups would keep sending to a port that is down.
   */
  static final class ReadResult {
    private final SwitchTables tables;
    private final Set<Integer> unwatched;

    /**
     * @param unwatched ids of groups of which a bucket does not watch its port
     */
    ReadResult(SwitchTables tables, Set<Integer> unwatched) {
      this.tables = tables;
      this.unwatched = Set.copyOf(unwatched);
    }

    SwitchTables tables() {
      return tables;
    }

    Set<Integer> unwatched() {
      return unwatched;
    }

    /** The groups of which a bucket does not watch its port. */
    List<SelectGroup> unwatchedGroups() {
      return unwatched.stream().map(tables.groups()::get).collect(Collectors.toList());
    }
  }

  /**
   * @param channel to the switches of this instance
   * @param local this instance
   * @param executor for requests of other instances
   */
  public SwitchReader(
      ApplicationId application,
      OpenFlowChannel channel,
      ClusterCommunicationService cluster,
      MastershipService masterships,
      NodeId local,
      Executor executor) {
    this.channel = channel;
    this.translator = new FlowTranslator(application);
    this.cluster = cluster;
    this.master = new MasterClient(cluster, masterships, local);
    cluster.<String, List<int[]>>addSubscriber(
        GROUPS,
        MasterClient.SERIALIZER::decode,
        device -> watchedGroupsHere(DeviceId.deviceId(device)).thenApply(WireFormat::groups),
        MasterClient.SERIALIZER::encode);
    cluster.<String, List<Object>>addSubscriber(
        TABLES,
        MasterClient.SERIALIZER::decode,
        device -> tablesHere(DeviceId.deviceId(device)).thenApply(WireFormat::tables),
        MasterClient.SERIALIZER::encode);
    cluster.<String>addSubscriber(
        POLL_FOR_ONOS,
        MasterClient.SERIALIZER::decode,
        device -> pollForOnosHere(DeviceId.deviceId(device)),
        executor);
  }

  /**
   * Evenweave's groups on a switch, once those without watch ports have them, which may change the
   * switch. Fails with a {@link SouthboundException} if no instance is its master, as right after
   * its master has failed, or the master or the switch does not reply.
   */
  CompletableFuture<List<SelectGroup>> watchedGroups(DeviceId device) {
    return master.request(
        device, () -> watchedGroupsHere(device), GROUPS, device.toString(), WireFormat::toGroups);
  }

  /**
   * Evenweave's groups and rules on a switch, which this does not change; fails as {@link
   * #watchedGroups} does. Also has ONOS read the switch's ports: after a partition its store can
   * have ports as down that are up, until the switch reports them.
   */
  CompletableFuture<ReadResult> tables(DeviceId device) {
    return master.request(
        device, () -> tablesHere(device), TABLES, device.toString(), WireFormat::toTables);
  }

  /**
   * Has ONOS read a switch's groups now, as it otherwise does every 10 s: only then does it drop
   * removed groups from its store, and until then it cannot add one of the same id. Does nothing if
   * the switch has no master.
   */
  void pollForOnos(DeviceId device) {
    NodeId masterNode = master.masterOf(device);
    if (master.isLocal(masterNode)) {
      pollForOnosHere(device);
    } else if (masterNode != null) {
      cluster.unicast(
          device.toString(), POLL_FOR_ONOS, MasterClient.SERIALIZER::encode, masterNode);
    }
  }

  @Override
  public void close() {
    cluster.removeSubscriber(GROUPS);
    cluster.removeSubscriber(TABLES);
    cluster.removeSubscriber(POLL_FOR_ONOS);
  }

  private CompletableFuture<List<SelectGroup>> watchedGroupsHere(DeviceId device) {
    return groupDescriptions(device)
        .thenCompose(
            entries -> {
              List<OFGroupDescStatsEntry> unwatched =
                  entries.stream().filter(GroupCodec::isUnwatched).collect(Collectors.toList());
              if (unwatched.isEmpty()) {
                return CompletableFuture.completedFuture(entries);
              }
              channel.send(
                  device,
                  factory ->
                      unwatched.stream()
                          .map(
                              entry ->
                                  GroupCodec.modify(
                                      factory, GroupCodec.read(entry), factory.nextXid()))
                          .collect(Collectors.toList()));
              // A switch processes these group-mods before a later request.
              return groupDescriptions(device);
            })
        .thenApply(entries -> entries.stream().map(GroupCodec::read).collect(Collectors.toList()));
  }

  private CompletableFuture<ReadResult> tablesHere(DeviceId device) {
    try {
      channel.send(device, factory -> List.of(factory.buildPortDescStatsRequest().build()));
    } catch (SouthboundException e) {
      return CompletableFuture.failedFuture(e);
    }
    return groupDescriptions(device)
        .thenCombine(
            rules(device),
            (entries, rules) -> {
              Map<Integer, SelectGroup> byId = new HashMap<>();
              Set<Integer> unwatched = new HashSet<>();
              for (OFGroupDescStatsEntry entry : entries) {
                SelectGroup group = GroupCodec.read(entry);
                byId.put(group.id(), group);
                if (GroupCodec.isUnwatched(entry)) {
                  unwatched.add(group.id());
                }
              }
              return new ReadResult(new SwitchTables(byId, rules), unwatched);
            });
  }

  private void pollForOnosHere(DeviceId device) {
    long xid = PAIRED_XID + pollRequests.getAndAdd(2) % OTHER_XIDS;
    try {
      channel.send(
          device,
          factory ->
              List.of(
                  groupStatisticsRequest(factory, xid), groupDescriptionRequest(factory, xid + 1)));
    } catch (SouthboundException e) {
      LOG.debug("not polled for ONOS, left to its next poll: {}", e.getMessage());
    }
  }

  private CompletableFuture<Map<String, FlowRule>> rules(DeviceId device) {
    return channel
        .request(
            device,
            RULES_XID + ruleRequests.getAndIncrement() % OTHER_XIDS,
            SwitchReader::allRulesRequest)
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

  private CompletableFuture<List<OFGroupDescStatsEntry>> groupDescriptions(DeviceId device) {
    long count = groupRequests.computeIfAbsent(device, any -> new AtomicLong()).getAndIncrement();
    return channel
        // Even, so that no two ids are consecutive.
        .request(
            device, GROUPS_XID + 2 * (count % GROUPS_XIDS), SwitchReader::groupDescriptionRequest)
        .thenApply(
            replies -> {
              List<OFGroupDescStatsEntry> found = new ArrayList<>();
              for (OFStatsReply reply : replies) {
                for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) reply).getEntries()) {
                  if (GroupTranslator.isOurs(entry.getGroup().getGroupNumber())) {
                    found.add(entry);
                  }
                }
              }
              return found;
            });
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
