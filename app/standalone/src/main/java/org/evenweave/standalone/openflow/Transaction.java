package org.evenweave.standalone.openflow;

import java.util.List;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Some messages to a switch that are confirmed together, with consecutive xids. Every method is
 * called on the channel's event loop, and none after the one that ended the transaction.
 */
interface Transaction {
  /** The messages, the first with xid {@code firstXid}, each next one more. */
  List<OFMessage> messages(long firstXid);

  /** An answer to one of the messages. Returns whether the transaction has ended. */
  boolean onReply(OFMessage reply);

  /** What the reply that comes next says of others' entries. */
  default void onForeign(ForeignPart part) {}

  /**
   * The switch refused a message.
   *
   * @param index which of {@link #messages}
   * @return whether the transaction has ended
   */
  boolean onError(int index, SwitchError error);

  /** No more answers will come. */
  void onLost(String why);
}
