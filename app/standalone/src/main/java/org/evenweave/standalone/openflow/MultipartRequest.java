package org.evenweave.standalone.openflow;

import java.util.List;
import java.util.concurrent.Executor;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;

/**
 * A request for what a switch holds or has counted: all its messages are sent at once, and the
 * answer to each comes in one reply or more (OpenFlow 1.3.5, section 7.3.5).
 *
 * @param <T> what the caller gets
 */
abstract class MultipartRequest<T> extends Request<T> implements Transaction {
  private final String whole;
  private final List<String> parts;
  private boolean sent;

  /**
   * @param whole what is read, for errors
   * @param parts what each of the messages reads
   */
  MultipartRequest(String switchId, Executor callbacks, String whole, List<String> parts) {
    super(switchId, callbacks);
    this.whole = whole;
    this.parts = parts;
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

  /** Whether no more replies follow to the same message. */
  static boolean isLast(OFMessage reply) {
    return !((OFStatsReply) reply).getFlags().contains(OFStatsReplyFlags.REPLY_MORE);
  }

  @Override
  public boolean onError(int index, SwitchError error) {
    fail("reading " + parts.get(index) + " refused: " + error);
    return true;
  }

  @Override
  public void onLost(String why) {
    fail(whole + " not read: " + why);
  }
}
