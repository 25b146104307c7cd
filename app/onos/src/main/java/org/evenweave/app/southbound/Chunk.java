package org.evenweave.app.southbound;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.openflow.OperationStep;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadActionErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadRequestErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFFlowModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFGroupModFailedErrorMsg;

/**
 * Messages to one switch that one reply confirms: the reply to the last message, which the switch
 * sends once it has carried out those before. Transaction ids count up from the first message's.
 *
 * <p>ONOS drops messages to a switch, or keeps them until it is the switch's master again, without
 * telling the sender. It reports what it has sent; a chunk is confirmed only if all of it was.
 */
final class Chunk {
  private final DeviceId device;
  private final List<OperationStep> steps;
  private final long firstXid;
  private final BitSet sent = new BitSet();
  private final CompletableFuture<Void> outcome = new CompletableFuture<>();
  private boolean written;
  private boolean replied;
  private String refusal;

  /**
   * @param firstXid of the first step's message; the others' follow, then the confirming request's
   */
  Chunk(DeviceId device, List<OperationStep> steps, long firstXid) {
    this.device = device;
    this.steps = steps;
    this.firstXid = firstXid;
  }

  boolean has(long xid) {
    return xid >= firstXid && xid <= lastXid();
  }

  /** The transaction id of the message whose reply confirms the chunk. */
  long lastXid() {
    return firstXid + steps.size();
  }

  /**
   * Completes when the switch has carried out everything; fails with a {@link SouthboundException}
   * if it refused an operation, if a message was not sent, or if the switch does not reply in time.
   */
  CompletableFuture<Void> outcome(long timeoutSeconds) {
    CompletableFuture<Void> timer =
        new CompletableFuture<Void>().completeOnTimeout(null, timeoutSeconds, TimeUnit.SECONDS);
    timer.thenRun(() -> fail("has not confirmed " + summary() + " in " + timeoutSeconds + " s"));
    outcome.whenComplete((nothing, error) -> timer.cancel(false));
    return outcome;
  }

  /** A message was sent. */
  synchronized void onSent(long xid) {
    sent.set((int) (xid - firstXid));
  }

  /** All messages were given to ONOS, which has reported those that it sent. */
  synchronized void onWritten() {
    written = true;
    if (sent.cardinality() <= steps.size()) {
      fail("was not sent " + summary() + ": this instance is no longer its master");
    }
    completeIfDone();
  }

  /** Only the first outcome counts. */
  void fail(SouthboundException error) {
    outcome.completeExceptionally(error);
  }

  /** A message with one of the transaction ids came from the switch. */
  synchronized void onReply(OFMessage reply) {
    if (reply instanceof OFErrorMsg) {
      int index = (int) (reply.getXid() - firstXid);
      boolean isStep = index < steps.size();
      String of = isStep ? steps.get(index).name() : "the confirmation";
      if (refusal == null) {
        refusal = "refused " + of + ": " + reason((OFErrorMsg) reply);
      }
      if (!isStep) {
        fail(refusal);
      }
    } else if (isLast(reply)) {
      replied = true;
      completeIfDone();
    }
  }

  /** A reply can arrive before ONOS has reported that it sent the request. */
  private void completeIfDone() {
    if (written && replied && refusal == null) {
      outcome.complete(null);
    } else if (written && replied) {
      fail(refusal);
    }
  }

  private void fail(String problem) {
    fail(new SouthboundException(device.toString(), problem));
  }

  private String summary() {
    if (steps.isEmpty()) {
      return "a request";
    }
    String first = steps.get(0).name();
    return steps.size() == 1 ? first : first + " and " + (steps.size() - 1) + " more";
  }

  private boolean isLast(OFMessage reply) {
    return reply.getXid() == lastXid()
        && (reply instanceof OFBarrierReply
            || (reply instanceof OFStatsReply
                && !((OFStatsReply) reply).getFlags().contains(OFStatsReplyFlags.REPLY_MORE)));
  }

  private static String reason(OFErrorMsg error) {
    if (error instanceof OFFlowModFailedErrorMsg) {
      return "FLOW_MOD_FAILED/" + ((OFFlowModFailedErrorMsg) error).getCode();
    }
    if (error instanceof OFGroupModFailedErrorMsg) {
      return "GROUP_MOD_FAILED/" + ((OFGroupModFailedErrorMsg) error).getCode();
    }
    if (error instanceof OFBadRequestErrorMsg) {
      return "BAD_REQUEST/" + ((OFBadRequestErrorMsg) error).getCode();
    }
    if (error instanceof OFBadActionErrorMsg) {
      return "BAD_ACTION/" + ((OFBadActionErrorMsg) error).getCode();
    }
    return String.valueOf(error.getErrType());
  }
}
