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
 * The latest change requested of each rule, and the flow-mod that carried it out, so that a
 * flow-mod by which ONOS undoes the change is recognised. The key is the rule's cookie, which ONOS
 * derives from its table, priority and match. Thread-safe.
 */
final class RecentFlowMods {
  /** ONOS acts on a statistics reply for seconds at most after it. */
  static final long LIFETIME_NANOS = 30_000_000_000L;

  private final FlowTranslator translator;
  private final ExpiringMap<Map.Entry<DeviceId, Long>, Request> latestOf;

  private static final class Request {
    final SwitchOperation operation;
    final CompletableFuture<Void> isSent = new CompletableFuture<>();

    /** The latest flow-mod that carried out the operation; null before the first. */
    OFFlowMod lastSent;

    /**
     * Whether a conflicting flow-mod was reported before: threads race, so it may have been last.
     */
    boolean orderUnknown;

    Request(SwitchOperation operation) {
      this.operation = operation;
    }
  }

  RecentFlowMods(FlowTranslator translator, LongSupplier nanoTime) {
    this.translator = translator;
    latestOf = new ExpiringMap<>(LIFETIME_NANOS, nanoTime);
  }

  /**
   * Registers a change before it is requested of ONOS.
   *
   * @return completes when a flow-mod that carries out the operation is sent
   */
  synchronized CompletableFuture<Void> requested(
      DeviceId device, long cookie, SwitchOperation operation) {
    Request request = new Request(operation);
    latestOf.put(Map.entry(device, cookie), request);
    return request.isSent;
  }

  /**
   * A flow-mod has been sent.
   *
   * @param resend takes the flow-mod to send again: because this one undoes it, or because this one
   *     carries out the request but a conflicting one, reported before it, may have been sent after
   *     it. It runs under the lock, so that no newer request is registered meanwhile
   * @return the operation that was undone; empty if none was
   */
  synchronized Optional<SwitchOperation> onSent(
      DeviceId device, OFFlowMod message, Consumer<OFFlowMod> resend) {
    Request request = latestOf.get(Map.entry(device, message.getCookie().getValue()));
    if (request == null) {
      return Optional.empty();
    }
    if (carriesOut(message, request.operation)) {
      request.lastSent = message;
      request.isSent.complete(null);
      if (request.orderUnknown) {
        request.orderUnknown = false;
        resend.accept(message);
      }
      return Optional.empty();
    }
    if (request.lastSent == null) {
      // The requested flow-mod is still to be sent, or its report is late on another thread.
      request.orderUnknown = true;
      return Optional.empty();
    }
    resend.accept(request.lastSent);
    return Optional.of(request.operation);
  }

  /** Whether this is the latest request for the rule, and has not expired. */
  synchronized boolean isLatest(DeviceId device, long cookie, SwitchOperation operation) {
    Request request = latestOf.get(Map.entry(device, cookie));
    return request != null && request.operation == operation;
  }

  /** From here on, any change may be undone. */
  synchronized void clear() {
    latestOf.clear();
  }

  private boolean carriesOut(OFFlowMod message, SwitchOperation operation) {
    if (operation.kind() == SwitchOperation.Kind.DELETE_FLOW) {
      return message instanceof OFFlowDeleteStrict;
    }
    return message instanceof OFFlowAdd
        && translator.read((OFFlowAdd) message).equals(Optional.of(operation.flow()));
  }
}
