package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.cluster.Node;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes rules through ONOS's FlowRuleService, on the instance that is the switch's master. Every
 * instance has one, and serves the requests of the others.
 *
 * <p>ONOS compares statistics replies with its flow store while rules change, and acts on the
 * differences later, on other threads. So it can delete a rule that was added meanwhile, or add one
 * that was deleted. And it confirms the removal of a rule that its store does not have, or cannot
 * reach because the switch has just changed masters. So the master observes the flow-mods that are
 * sent: one that undoes a change is followed by the change again, a change without a flow-mod has
 * failed, and a change is confirmed only when ONOS has processed every earlier statistics reply.
 */
public final class FlowRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FlowRequests.class);
  private static final MessageSubject CHANGE = new MessageSubject("evenweave-change-rules");
  private static final MessageSubject RELEASE = new MessageSubject("evenweave-let-rules-go");
  private static final String DONE = "";
  private static final String NOT_SENT =
      "ONOS confirmed changes of rules for which it sent the switch nothing";

  /** How long after the switch's barrier reply a flow-mod may be reported: the threads race. */
  private static final long SENT_MILLIS = 1000;

  private static final long RELEASE_SECONDS = 2;

  private final FlowRuleService flows;
  private final FlowTranslator translator;
  private final OpenFlowChannel channel;
  private final PendingChanges pending;
  private final ClusterCommunicationService cluster;
  private final MasterClient master;
  private final Executor executor;
  private final RecentFlowMods recent;

  /** Changes that ONOS undid and is applying again, by device and cookie. */
  private final Map<Map.Entry<DeviceId, Long>, CompletableFuture<String>> reapplying =
      new ConcurrentHashMap<>();

  /**
   * @param channel to the switches of this instance
   * @param pending has the changes that are not confirmed, and counts outcomes
   * @param local this instance
   * @param executor for calls to ONOS, which may block
   */
  public FlowRequests(
      ApplicationId application,
      FlowRuleService flows,
      OpenFlowChannel channel,
      PendingChanges pending,
      ClusterCommunicationService cluster,
      MastershipService masterships,
      NodeId local,
      Executor executor) {
    this.flows = flows;
    this.translator = new FlowTranslator(application);
    this.channel = channel;
    this.pending = pending;
    this.cluster = cluster;
    this.master = new MasterClient(cluster, masterships, local);
    this.executor = executor;
    this.recent = new RecentFlowMods(translator, System::nanoTime);
    cluster.<List<Object>, String>addSubscriber(
        CHANGE,
        MasterClient.SERIALIZER::decode,
        message -> applyHere(WireFormat.device(message), WireFormat.toOperations(message)),
        MasterClient.SERIALIZER::encode);
    cluster.<String, String>addSubscriber(
        RELEASE,
        MasterClient.SERIALIZER::decode,
        this::releaseHere,
        MasterClient.SERIALIZER::encode);
    channel.onFlowMod(this::onFlowMod);
  }

  /**
   * Requests changes of rules, which are pending until the outcome is known.
   *
   * @return completes when the switch has confirmed all of them; fails with a {@link
   *     SouthboundException} if the switch has no master or a change is refused, or with a {@link
   *     TimeoutException} after {@link PendingChanges#timeoutNanos}
   */
  CompletableFuture<Void> request(DeviceId device, List<SwitchOperation> operations) {
    PendingChanges.Entry entry = pending.add(device, operations);
    Function<String, String> unchanged = problem -> problem;
    return master
        .request(
            device,
            () -> applyHere(device, operations),
            CHANGE,
            WireFormat.operations(device, operations),
            unchanged)
        .thenAccept(
            problem -> {
              if (!problem.equals(DONE)) {
                throw new SouthboundException(device.toString(), problem);
              }
            })
        .orTimeout(pending.timeoutNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (nothing, error) -> {
              if (error == null) {
                entry.confirmed();
              } else if (error instanceof TimeoutException) {
                entry.givenUp();
              } else {
                entry.refused();
              }
            });
  }

  /**
   * No longer restores rules that others remove, on any instance. Returns when all instances that
   * respond have acknowledged this.
   *
   * @param instances of the cluster
   */
  public void releaseRules(Collection<? extends Node> instances) {
    recent.clear();
    CompletableFuture<?>[] replies =
        instances.stream()
            .map(Node::id)
            .filter(instance -> !master.isLocal(instance))
            .map(
                instance ->
                    cluster
                        .<String, String>sendAndReceive(
                            DONE,
                            RELEASE,
                            MasterClient.SERIALIZER::encode,
                            MasterClient.SERIALIZER::decode,
                            instance)
                        // An instance that is closed restores no rules.
                        .exceptionally(error -> DONE))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(replies)
        .completeOnTimeout(null, RELEASE_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  @Override
  public void close() {
    channel.onFlowMod((device, message) -> {});
    cluster.removeSubscriber(CHANGE);
    cluster.removeSubscriber(RELEASE);
  }

  private CompletableFuture<String> releaseHere(String nothing) {
    recent.clear();
    return CompletableFuture.completedFuture(DONE);
  }

  /** Completes with {@link #DONE} or the error as text, since exceptions cannot be serialized. */
  private CompletableFuture<String> applyHere(DeviceId device, List<SwitchOperation> operations) {
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    List<Map.Entry<DeviceId, Long>> rules = new ArrayList<>();
    for (SwitchOperation operation : operations) {
      long cookie = translator.toOnos(device, operation.flow()).id().value();
      rules.add(Map.entry(device, cookie));
      reapplying.remove(Map.entry(device, cookie));
      sent.add(recent.requested(device, cookie, operation));
    }
    return apply(device, operations)
        .thenCompose(
            problem ->
                problem.equals(DONE)
                    ? CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                        .thenApply(nothing -> DONE)
                        .completeOnTimeout(NOT_SENT, SENT_MILLIS, TimeUnit.MILLISECONDS)
                    : CompletableFuture.completedFuture(problem))
        .thenCompose(
            problem ->
                problem.equals(DONE)
                    ? channel
                        .settled(device)
                        .thenCompose(nothing -> reapplied(rules))
                        .thenApply(nothing -> DONE)
                    : CompletableFuture.completedFuture(problem));
  }

  /** Completes when none of the rules is being applied again. */
  private CompletableFuture<Void> reapplied(List<Map.Entry<DeviceId, Long>> rules) {
    return CompletableFuture.allOf(
        rules.stream()
            .map(reapplying::get)
            .filter(Objects::nonNull)
            .toArray(CompletableFuture[]::new));
  }

  /** Applies a batch, which ONOS confirms after a barrier of its own. */
  private CompletableFuture<String> apply(DeviceId device, List<SwitchOperation> operations) {
    CompletableFuture<String> done = new CompletableFuture<>();
    FlowRuleOperations.Builder batch = FlowRuleOperations.builder();
    for (SwitchOperation operation : operations) {
      org.onosproject.net.flow.FlowRule rule = translator.toOnos(device, operation.flow());
      if (operation.kind() == SwitchOperation.Kind.PUT_FLOW) {
        batch.add(rule);
      } else {
        batch.remove(rule);
      }
    }
    flows.apply(
        batch.build(
            new FlowRuleOperationsContext() {
              @Override
              public void onSuccess(FlowRuleOperations operations) {
                done.complete(DONE);
              }

              @Override
              public void onError(FlowRuleOperations failed) {
                done.complete("rules refused: " + failed.stages());
              }
            }));
    return done;
  }

  private void onFlowMod(DeviceId device, OFFlowMod message) {
    recent
        .onSent(device, message, latest -> resend(device, latest))
        .ifPresent(
            undone -> {
              pending.undone();
              LOG.debug("{}: ONOS undid {}", device, undone);
              reapply(device, message.getCookie().getValue(), undone);
            });
  }

  /** Corrects ONOS's flow store, or ONOS would undo the change with each statistics reply. */
  private void reapply(DeviceId device, long cookie, SwitchOperation undone) {
    Map.Entry<DeviceId, Long> rule = Map.entry(device, cookie);
    CompletableFuture<String> done = new CompletableFuture<>();
    reapplying.put(rule, done);
    done.whenComplete((problem, error) -> reapplying.remove(rule, done));
    executor.execute(
        () -> {
          if (recent.isLatest(device, cookie, undone)) {
            apply(device, List.of(undone)).thenAccept(done::complete);
          } else {
            done.complete(DONE);
          }
        });
  }

  private void resend(DeviceId device, OFFlowMod message) {
    try {
      channel.send(device, factory -> List.of(message));
    } catch (SouthboundException e) {
      LOG.debug("not resent, left to the audit: {}", e.getMessage());
    }
  }
}
