package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.ForeignEntries;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTableReader;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Reads a switch's rules and groups. Evenweave's are those with the engine's cookie, and those in
 * its range of ids.
 */
final class ReadRequest extends MultipartRequest<SwitchReading> {
  /**
   * Groups and rules of ours on one switch. The most that the engine makes of it are five rules for
   * each of 16,384 hosts, and one with a group for each prefix of the fabric, up to 49,000.
   */
  static final int MAX_ENTRIES = 1 << 17;

  /** Rules for slots of large tables: twice what may be wanted, while a plan is in progress. */
  private static final int MAX_SLOT_RULES = 2 * SwitchTarget.MAX_LARGE_SLOTS;

  private final Map<Integer, SelectGroup> groups = new HashMap<>();
  private final Map<String, FlowRule> flows = new HashMap<>();
  private final LargeTableReader largeTables = new LargeTableReader(OpenFlow13.FIRST_GROUP);
  private boolean hasFlows;
  private boolean hasGroups;
  private final List<ForeignRule> foreignRules = new ArrayList<>();
  private final List<ForeignGroup> foreignGroups = new ArrayList<>();
  private int unexamined;

  /** By port. */
  private final Map<Integer, Long> refusedSources = new HashMap<>();

  ReadRequest(String switchId, Executor callbacks) {
    super(switchId, callbacks, "tables", List.of("flows", "groups"));
  }

  @Override
  public List<OFMessage> messages(long firstXid) {
    return List.of(
        OpenFlow13.allRulesRequest(firstXid),
        OpenFlow13.FACTORY.buildGroupDescStatsRequest().setXid(firstXid + 1).build());
  }

  @Override
  public boolean onReply(OFMessage reply) {
    if (reply instanceof OFFlowStatsReply) {
      ((OFFlowStatsReply) reply).getEntries().forEach(this::addFlow);
      hasFlows = isLast(reply);
    } else if (reply instanceof OFGroupDescStatsReply) {
      for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) reply).getEntries()) {
        if (!largeTables.add(entry)) {
          groups.put(entry.getGroup().getGroupNumber(), GroupCodec.read(entry));
        }
      }
      hasGroups = isLast(reply);
    }
    if (groups.size() + flows.size() > MAX_ENTRIES) {
      throw new BadSwitchException(
          "reports more than " + MAX_ENTRIES + " of Evenweave's groups and rules");
    }
    if (largeTables.ruleCount() > MAX_SLOT_RULES) {
      throw new BadSwitchException(
          "reports more than " + MAX_SLOT_RULES + " rules of Evenweave's large tables");
    }
    if (hasFlows && hasGroups) {
      largeTables.addTo(groups);
      succeed(
          new SwitchReading(
              new SwitchTables(groups, flows),
              new ForeignTables(foreignRules, foreignGroups, unexamined),
              refusedSources));
    }
    return hasFlows && hasGroups;
  }

  private void addFlow(OFFlowStatsEntry entry) {
    if (largeTables.add(entry)) {
      return;
    }
    Optional<FlowRule> rule = FlowMessages.read(entry);
    if (rule.isPresent()) {
      flows.put(rule.get().key(), rule.get());
      if (rule.get().match() == FlowRule.Match.REFUSED_SOURCE) {
        refusedSources.merge(rule.get().outPort(), entry.getPacketCount().getValue(), Long::sum);
      }
    } else {
      // It has the engine's cookie, and is in the place of none of its rules.
      ByteBuf bytes = Unpooled.buffer();
      entry.writeTo(bytes);
      add(List.of(ForeignEntries.rule(bytes.nioBuffer(), 0)));
    }
  }

  @Override
  public void onForeign(ForeignPart part) {
    add(part.rules());
    foreignGroups.addAll(part.groups());
    if (foreignGroups.size() > MAX_ENTRIES) {
      throw new BadSwitchException("reports more than " + MAX_ENTRIES + " foreign groups");
    }
  }

  private void add(List<ForeignRule> rules) {
    int room = ForeignTables.MAX_RULES - foreignRules.size();
    foreignRules.addAll(rules.subList(0, Math.min(room, rules.size())));
    unexamined += Math.max(0, rules.size() - room);
  }
}
