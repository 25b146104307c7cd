package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.OperationStep;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Has a switch take steps in order, a barrier after every few messages: the barriers bound how much
 * a switch has before it, and stop a long list early at the first step it refused.
 */
final class ApplyRequest extends Request<Void> {
  /**
   * Messages for one barrier. A 256-bucket group takes Open vSwitch 12 ms, so that even these are
   * far from a switch's time-out.
   */
  static final int CHUNK = 32;

  private final List<OperationStep> steps;
  private int sent;
  private int confirmed;
  private boolean started;

  private ApplyRequest(String switchId, Executor callbacks, List<OperationStep> steps) {
    super(switchId, callbacks);
    this.steps = steps;
  }

  /** What depends on its future runs on the channel's event loop, and must not block. */
  static ApplyRequest of(String switchId, List<SwitchOperation> operations) {
    List<OperationStep> steps = new ArrayList<>();
    operations.forEach(operation -> steps.addAll(OperationCodec.steps(operation)));
    // Another thread in between would delay each round of each plan by its wake-up.
    return new ApplyRequest(switchId, Runnable::run, steps);
  }

  /** Deletes rules that are not Evenweave's. */
  static ApplyRequest deleting(String switchId, Executor callbacks, List<ForeignRule> rules) {
    List<OperationStep> steps = new ArrayList<>();
    for (ForeignRule rule : rules) {
      steps.add(
          OperationStep.of(() -> "deleting " + rule, (of, xid) -> new ForeignDelete(rule, xid)));
    }
    return new ApplyRequest(switchId, callbacks, steps);
  }

  @Override
  boolean isSent() {
    return hasEnded() || (started && sent == steps.size());
  }

  @Override
  Transaction next() {
    started = true;
    int from = sent;
    sent = Math.min(steps.size(), from + CHUNK);
    return new Chunk(steps.subList(from, sent));
  }

  private final class Chunk implements Transaction {
    private final List<OperationStep> chunk;
    private int firstRefused = Integer.MAX_VALUE;
    private String refusal;

    Chunk(List<OperationStep> chunk) {
      this.chunk = chunk;
    }

    @Override
    public List<OFMessage> messages(long firstXid) {
      List<OFMessage> messages = new ArrayList<>(chunk.size() + 1);
      for (OperationStep step : chunk) {
        messages.add(step.message(OpenFlow13.FACTORY, firstXid + messages.size()));
      }
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
      } else if (confirmed == steps.size()) {
        succeed(null);
      }
      return true;
    }

    @Override
    public boolean onError(int index, SwitchError error) {
      if (index == chunk.size()) {
        fail("barrier refused: " + error);
        return true;
      }
      if (index < firstRefused) {
        firstRefused = index;
        refusal = chunk.get(index).name() + " refused: " + error;
      }
      return false;
    }

    @Override
    public void onLost(String why) {
      String what = chunk.isEmpty() ? "barrier" : chunk.get(0).name();
      if (chunk.size() > 1) {
        what += " and " + (chunk.size() - 1) + " more";
      }
      fail(refusal != null ? refusal : what + " not confirmed: " + why);
    }
  }
}
