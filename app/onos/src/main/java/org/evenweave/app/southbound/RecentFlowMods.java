package org.evenweave.app.southbound;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;

/**
 * What was asked of rules lately, and the messages by which their switches were told. A rule is
 * known by its cookie, which ONOS makes of its place in the table. Safe for many threads.
 */
final class RecentFlowMods {
  /** ONOS works on what it read from a switch for seconds at most. */
  static final long REMEMBERED_NANOS = 30_000_000_000L;

  private final FlowTranslator translator;
  private final ExpiringMap<Map.Entry<DeviceId, Long>, Asked> askedOf;

  private static final class Asked {
    final SwitchOperation operation;
    final CompletableFuture<Void> isTold = new CompletableFuture<>();

    /** The latest message that told the switch; null if none has. */
    OFFlowMod told;

    /** Whether another message was heard before: which of the two went first is not known. */
    boolean crossed;

    Asked(SwitchOperation operation) {
      this.operation = operation;
    }
  }

  RecentFlowMods(FlowTranslator translator, LongSupplier nanoTime) {
    this.translator = translator;
    askedOf = new ExpiringMap<>(REMEMBERED_NANOS, nanoTime);
  }

  /**
   * Something is about to be asked of a rule.
   *
   * @return completes when a message that does it was heard to go to the switch
   */
  synchronized CompletableFuture<Void> asked(
      DeviceId device, long cookie, SwitchOperation operation) {
    Asked asked = new Asked(operation);
    askedOf.put(Map.entry(device, cookie), asked);
    return asked.isTold;
  }

  /**
   * A message on a rule has gone to its switch.
   *
   * @param tellAgain given the message that the switch needs again: if this one undoes what that
   *     did, or if this one does what was asked for, but another was heard of before it that may
   *     have gone after it. Until this returns, nothing new is asked of any rule
   * @return what was undone; empty if nothing was
   */
  synchronized Optional<SwitchOperation> sent(
      DeviceId device, OFFlowMod message, Consumer<OFFlowMod> tellAgain) {
    Asked asked = askedOf.get(Map.entry(device, message.getCookie().getValue()));
    if (asked == null) {
      return Optional.empty();
    }
    if (does(message, asked.operation)) {
      asked.told = message;
      asked.isTold.complete(null);
      if (asked.crossed) {
        asked.crossed = false;
        tellAgain.accept(message);
      }
      return Optional.empty();
    }
    if (asked.told == null) {
      // What was asked for is still to come and makes it good, or is on its way on another thread.
      asked.crossed = true;
      return Optional.empty();
    }
    tellAgain.accept(asked.told);
    return Optional.of(asked.operation);
  }

  /** Whether nothing else was asked of the rule since, and it is not long ago. */
  synchronized boolean isLatest(DeviceId device, long cookie, SwitchOperation operation) {
    Asked asked = askedOf.get(Map.entry(device, cookie));
    return asked != null && asked.operation == operation;
  }

  /** Whatever was asked for may be undone from here on. */
  synchronized void forget() {
    askedOf.clear();
  }

  private boolean does(OFFlowMod message, SwitchOperation operation) {
    if (operation.kind() == SwitchOperation.Kind.DELETE_FLOW) {
      return message instanceof OFFlowDeleteStrict;
    }
    return message instanceof OFFlowAdd
        && translator.read((OFFlowAdd) message).equals(Optional.of(operation.flow()));
  }
}
