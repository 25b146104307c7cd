package org.evenweave.openflow;

import java.util.List;
import java.util.function.Supplier;
import org.evenweave.engine.port.SwitchOperation;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** A message that a switch confirms: one that makes a change, or that sends packets. */
public final class OperationStep {
  private final Supplier<String> name;
  private final Maker maker;

  /** Makes the message. */
  public interface Maker {
    OFMessage message(OFFactory of, long xid);
  }

  private OperationStep(Supplier<String> name, Maker maker) {
    this.name = name;
    this.maker = maker;
  }

  /** A part of a change. */
  OperationStep(SwitchOperation operation, Maker maker) {
    this(() -> OperationMessages.name(operation), maker);
  }

  /**
   * Any other message.
   *
   * @param name as {@link #name}
   */
  public static OperationStep of(Supplier<String> name, Maker maker) {
    return new OperationStep(name, maker);
  }

  /** A frame that the switch sends out of a port. */
  public static OperationStep packetOut(int port, byte[] frame) {
    return new OperationStep(
        () -> "a packet out of port " + port,
        (of, xid) ->
            of.buildPacketOut()
                .setXid(xid)
                .setBufferId(OFBufferId.NO_BUFFER)
                .setInPort(OFPort.CONTROLLER)
                .setActions(List.of(of.actions().output(OFPort.of(port), 0)))
                .setData(frame)
                .build());
  }

  /** The message, with a transaction id. */
  public OFMessage message(OFFactory of, long xid) {
    return maker.message(of, xid);
  }

  /** What the switch is to do, in a few words. */
  public String name() {
    return name.get();
  }
}
