package org.evenweave.standalone.openflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTableReader;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.types.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a switch's rules with the engine's cookie, and its groups in Evenweave's range of ids. */
final class ReadRequest extends Request<SwitchTables> implements Transaction {
  /**
   * Groups and rules of ours on one switch. The most that the engine makes of it are four rules for
   * each of 16,384 hosts, and one with a group for each prefix of the fabric.
   */
  static final int MAX_ENTRIES = 1 << 17;

  /** Rules for slots of large tables: twice what may be wanted, while a plan is under way. */
  private static final int MAX_SLOT_RULES = 2 * SwitchTarget.MAX_LARGE_SLOTS;

  private static final Logger LOG = LoggerFactory.getLogger(ReadRequest.class);

  private final String switchId;
  private final Map<Integer, SelectGroup> groups = new HashMap<>();
  private final Map<String, FlowRule> flows = new HashMap<>();
  private final LargeTableReader largeTables = new LargeTableReader(OpenFlow13.FIRST_GROUP);
  private boolean sent;
  private boolean hasFlows;
  private boolean hasGroups;
  private int foreign;
  private OFFlowStatsEntry firstForeign;

  ReadRequest(String switchId, Executor callbacks) {
    super(switchId, callbacks);
    this.switchId = switchId;
  }

  @Override
  boolean isSent() {
    return sent;
  }

  @Override
  Transaction next() {
    sent = true;
    return this;
  }

  @Override
  public List<OFMessage> messages(long firstXid) {
    return List.of(
        OpenFlow13.rulesRequest(firstXid, TableId.ALL),
        OpenFlow13.FACTORY.buildGroupDescStatsRequest().setXid(firstXid + 1).build());
  }

  @Override
  public boolean onReply(OFMessage reply) {
    if (reply instanceof OFFlowStatsReply) {
      ((OFFlowStatsReply) reply).getEntries().forEach(this::addFlow);
      hasFlows = isLast((OFStatsReply) reply);
    } else if (reply instanceof OFGroupDescStatsReply) {
      for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) reply).getEntries()) {
        if (!largeTables.add(entry)) {
          groups.put(entry.getGroup().getGroupNumber(), GroupCodec.readWatched(entry));
        }
      }
      hasGroups = isLast((OFStatsReply) reply);
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
      logForeign();
      succeed(new SwitchTables(groups, flows));
    }
    return hasFlows && hasGroups;
  }

  private void addFlow(OFFlowStatsEntry entry) {
    // Some switches ignore the cookie of the request, so it is checked here too.
    if (!entry.getCookie().equals(OpenFlow13.ENGINE_COOKIE)) {
      return;
    }
    if (largeTables.add(entry)) {
      return;
    }
    Optional<FlowRule> rule = FlowMessages.read(entry);
    if (rule.isPresent()) {
      flows.put(rule.get().key(), rule.get());
    } else {
      foreign++;
      firstForeign = firstForeign == null ? entry : firstForeign;
    }
  }

  /** One line, however many there are. */
  private void logForeign() {
    if (foreign > 0) {
      LOG.warn(
          "{}: {} flow entries with Evenweave's cookie are not Evenweave's and are left alone; the"
              + " first: priority {}, match {}",
          switchId,
          foreign,
          firstForeign.getPriority(),
          firstForeign.getMatch());
    }
  }

  private static boolean isLast(OFStatsReply reply) {
    Set<OFStatsReplyFlags> flags = reply.getFlags();
    return !flags.contains(OFStatsReplyFlags.REPLY_MORE);
  }

  @Override
  public boolean onError(int index, SwitchError error) {
    fail("reading " + (index == 0 ? "flows" : "groups") + " refused: " + error);
    return true;
  }

  @Override
  public void onLost(String why) {
    fail("tables not read: " + why);
  }
}
