package org.evenweave.engine;

import java.util.Set;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.packets.PacketQueue;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Serialises the runtime's calls, which come from any thread, on the engine's loop. Calls about
 * switches, ports and links keep their order. Packets do not delay them: they wait in a queue of
 * their own, from which the loop takes one at a time. Packets beyond a bound are dropped, as a
 * switch's own queue to its controller would drop them.
 */
final class SerialisingListener implements TopologyListener {
  private static final int MAX_WAITING_PACKETS = 1024;
  private static final int MAX_WAITING_BYTES = 1 << 23;

  private final PacketQueue packets;
  private final PacketQueue removals;
  private final EngineLoop loop;
  private final Engine engine;
  private final SwitchControl control;

  SerialisingListener(EngineLoop loop, Engine engine, SwitchControl control) {
    this.loop = loop;
    this.engine = engine;
    this.control = control;
    this.packets = new PacketQueue(loop, MAX_WAITING_PACKETS, MAX_WAITING_BYTES);
    this.removals = new PacketQueue(loop, MAX_WAITING_PACKETS, MAX_WAITING_BYTES);
  }

  @Override
  public void switchUp(String switchId, long atNanos) {
    loop.execute(() -> engine.switchUp(switchId));
  }

  @Override
  public void switchDown(String switchId, long atNanos) {
    loop.execute(() -> engine.switchDown(switchId, atNanos));
  }

  @Override
  public void switchBarred(String switchId, boolean barred, long atNanos) {
    loop.execute(() -> control.barred(switchId, barred, atNanos));
  }

  @Override
  public void otherMaster(String switchId, String address) {
    loop.execute(() -> control.otherMaster(switchId, address));
  }

  @Override
  public void duplicateSwitch(String switchId, String used, String refused, long atNanos) {
    loop.execute(() -> control.duplicate(switchId, used, refused, atNanos));
  }

  @Override
  public void portSettings(
      String switchId, int port, PortSettings settings, boolean withheld, long atNanos) {
    SwitchPort at = new SwitchPort(switchId, port);
    loop.execute(() -> engine.links().portSettings(at, settings, withheld, atNanos));
  }

  @Override
  public void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    loop.execute(() -> engine.portChanged(switchId, port, up, speedBps, atNanos));
  }

  @Override
  public void portsComplete(String switchId, long atNanos) {
    loop.execute(
        () -> {
          engine.nib().portsComplete(switchId);
          engine.changes().mayHaveChanged(atNanos);
        });
  }

  @Override
  public void probeRoundPassed(Set<String> switchIds, long atNanos) {
    loop.execute(
        () -> {
          engine.nib().probeRoundPassed(switchIds);
          engine.changes().mayHaveChanged(atNanos);
        });
  }

  @Override
  public void linkSeen(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    loop.execute(
        () -> {
          engine
              .nib()
              .linkSeen(new SwitchPort(fromSwitch, fromPort), new SwitchPort(toSwitch, toPort));
          engine.changes().mayHaveChanged(atNanos);
        });
  }

  @Override
  public void linkLost(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    loop.execute(
        () -> {
          engine
              .nib()
              .linkLost(new SwitchPort(fromSwitch, fromPort), new SwitchPort(toSwitch, toPort));
          engine.changes().mayHaveChanged(atNanos);
        });
  }

  @Override
  public void ruleRemoved(String switchId, FlowRule rule, long atNanos) {
    // When too many wait, the audit that the first of them starts finds the others.
    removals.add(0, () -> engine.audits().ruleRemoved(switchId, rule));
  }

  @Override
  public void rulesChanged(String switchId, long atNanos) {
    removals.add(0, () -> engine.audits().rulesChanged(switchId));
  }

  @Override
  public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
    boolean added = packets.add(frame.length, () -> handle(switchId, inPort, frame));
    if (!added) {
      packetsDropped(switchId, inPort, 1);
    }
  }

  private void handle(String switchId, int inPort, byte[] frame) {
    if (!engine.links().received(new SwitchPort(switchId, inPort), frame)) {
      engine.responder().packetIn(switchId, inPort, frame);
    }
  }

  @Override
  public void packetsDropped(String switchId, int inPort, long count) {
    engine.packets().dropped(switchId, inPort, count);
  }
}
