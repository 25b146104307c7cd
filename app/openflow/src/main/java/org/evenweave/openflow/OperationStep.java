package org.evenweave.openflow;

import org.evenweave.engine.port.SwitchOperation;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** One of the messages that make a change: one for most, many for a large table. */
public final class OperationStep {
  private final SwitchOperation operation;
  private final Maker maker;

  /** Makes the message. */
  interface Maker {
    OFMessage message(OFFactory of, long xid);
  }

  OperationStep(SwitchOperation operation, Maker maker) {
    this.operation = operation;
    this.maker = maker;
  }

  /** The message, with a transaction id. */
  public OFMessage message(OFFactory of, long xid) {
    return maker.message(of, xid);
  }

  /** The change that it is part of, in a few words. */
  public String name() {
    return OperationMessages.name(operation);
  }
}
