package org.evenweave.standalone.openflow;

import java.util.List;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** A barrier alone: tells when the switch has done all that was sent to it before. */
final class Barrier implements Transaction {
  private final Runnable passed;

  /**
   * @param passed called on the channel's event loop; never if the switch does not answer
   */
  Barrier(Runnable passed) {
    this.passed = passed;
  }

  @Override
  public List<OFMessage> messages(long firstXid) {
    return List.of(OpenFlow13.FACTORY.buildBarrierRequest().setXid(firstXid).build());
  }

  @Override
  public boolean onReply(OFMessage reply) {
    passed.run();
    return true;
  }

  @Override
  public boolean onError(int index, SwitchError error) {
    return true;
  }

  @Override
  public void onLost(String why) {}
}
