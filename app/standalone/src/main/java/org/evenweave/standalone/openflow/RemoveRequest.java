package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.evenweave.engine.foreign.ForeignRule;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Deletes rules that are not Evenweave's, a barrier after every few of them. */
final class RemoveRequest extends Request<Void> {
  private final List<ForeignRule> rules;
  private int sent;
  private int confirmed;

  RemoveRequest(String switchId, Executor callbacks, List<ForeignRule> rules) {
    super(switchId, callbacks);
    this.rules = List.copyOf(rules);
  }

  @Override
  boolean isSent() {
    return hasEnded() || sent == rules.size();
  }

  @Override
  Transaction next() {
    int from = sent;
    sent = Math.min(rules.size(), from + ApplyRequest.CHUNK);
    return new Chunk(rules.subList(from, sent));
  }

  private final class Chunk implements Transaction {
    private final List<ForeignRule> chunk;
    private String refusal;

    Chunk(List<ForeignRule> chunk) {
      this.chunk = chunk;
    }

    @Override
    public List<OFMessage> messages(long firstXid) {
      List<OFMessage> messages = new ArrayList<>(chunk.size() + 1);
      chunk.forEach(rule -> messages.add(new ForeignDelete(rule, firstXid + messages.size())));
      messages.add(
          OpenFlow13.FACTORY.buildBarrierRequest().setXid(firstXid + messages.size()).build());
      return messages;
    }

    @Override
    public boolean onReply(OFMessage reply) {
      if (!(reply instanceof OFBarrierReply)) {
        return false;
      }
      confirmed += chunk.size();
      if (refusal != null) {
        fail(refusal);
      } else if (confirmed == rules.size()) {
        succeed(null);
      }
      return true;
    }

    @Override
    public boolean onError(int index, SwitchError error) {
      if (refusal == null) {
        String what = index < chunk.size() ? "deleting " + chunk.get(index) : "barrier";
        refusal = what + " refused: " + error;
      }
      return index == chunk.size();
    }

    @Override
    public void onLost(String why) {
      fail(refusal != null ? refusal : "deleting foreign rules not confirmed: " + why);
    }
  }
}
