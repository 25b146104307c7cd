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
 * Asks ONOS for changes of rules, on the instance that is the switch's master. Every instance has
 * one, and does what the others ask for.
 *
 * <p>ONOS compares what it knows with what it read from a switch while rules are changed, and acts
 * on what it found later, on other threads. So it can take a rule out that was put back meanwhile,
 * or put one back that was taken out. And a rule to be removed that its store does not know, or
 * cannot get at because the switch has just got another master, it calls removed. So the master
 * hears what goes to the switch: what undoes a change is followed by the change, a change of which
 * nothing was sent has failed, and one is done only when ONOS is through with all that it read from
 * the switch before.
 */
public final class FlowRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FlowRequests.class);
  private static final MessageSubject CHANGE = new MessageSubject("evenweave-change-rules");
  private static final MessageSubject LET_GO = new MessageSubject("evenweave-let-rules-go");
  private static final String DONE = "";
  private static final String NOT_SENT =
      "ONOS confirmed changes of rules of which it sent the switch nothing";

  /** How long after the switch's answer its question may be heard of: they race. */
  private static final long HEARD_MILLIS = 1000;

  private static final long LET_GO_SECONDS = 2;

  private final FlowRuleService flows;
  private final FlowTranslator translator;
  private final OpenFlowChannel channel;
  private final PendingChanges pending;
  private final ClusterCommunicationService cluster;
  private final MasterClient toMaster;
  private final Executor executor;
  private final RecentFlowMods asked;

  /** What ONOS is asked again because it undid it, by device and cookie, until it has done it. */
  private final Map<Map.Entry<DeviceId, Long>, CompletableFuture<String>> repeated =
      new ConcurrentHashMap<>();

  /**
   * @param channel to the switches of this instance
   * @param pending counts the changes that ONOS undid
   * @param local this instance
   * @param executor for questions to ONOS
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
    this.toMaster = new MasterClient(cluster, masterships, local);
    this.executor = executor;
    this.asked = new RecentFlowMods(translator, System::nanoTime);
    cluster.<List<Object>, String>addSubscriber(
        CHANGE,
        MasterClient.SERIALIZER::decode,
        message -> askHere(WireFormat.device(message), WireFormat.toOperations(message)),
        MasterClient.SERIALIZER::encode);
    cluster.<String, String>addSubscriber(
        LET_GO, MasterClient.SERIALIZER::decode, this::letGoHere, MasterClient.SERIALIZER::encode);
    channel.onFlowMod(this::onFlowMod);
  }

  /**
   * Asks for changes of rules.
   *
   * @return completes when the switch has confirmed all of them; fails with a {@link
   *     SouthboundException} if the switch has no master or a change is refused
   */
  CompletableFuture<Void> ask(DeviceId device, List<SwitchOperation> operations) {
    Function<String, String> asItIs = problem -> problem;
    return toMaster
        .ask(
            device,
            () -> askHere(device, operations),
            CHANGE,
            WireFormat.operations(device, operations),
            asItIs)
        .thenAccept(
            problem -> {
              if (!problem.equals(DONE)) {
                throw new SouthboundException(device.toString(), problem);
              }
            });
  }

  /**
   * Lets rules be removed past this class, on all instances; returns when all that answer do.
   *
   * @param instances of the cluster
   */
  public void letGo(Collection<? extends Node> instances) {
    asked.forget();
    CompletableFuture<?>[] answers =
        instances.stream()
            .map(Node::id)
            .filter(instance -> !toMaster.isLocal(instance))
            .map(
                instance ->
                    cluster
                        .<String, String>sendAndReceive(
                            DONE,
                            LET_GO,
                            MasterClient.SERIALIZER::encode,
                            MasterClient.SERIALIZER::decode,
                            instance)
                        // One that has closed already guards nothing.
                        .exceptionally(error -> DONE))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(answers)
        .completeOnTimeout(null, LET_GO_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  @Override
  public void close() {
    channel.onFlowMod((device, message) -> {});
    cluster.removeSubscriber(CHANGE);
    cluster.removeSubscriber(LET_GO);
  }

  private CompletableFuture<String> letGoHere(String nothing) {
    asked.forget();
    return CompletableFuture.completedFuture(DONE);
  }

  /** Completes with {@link #DONE} or what went wrong: words can be sent, exceptions cannot. */
  private CompletableFuture<String> askHere(DeviceId device, List<SwitchOperation> operations) {
    List<CompletableFuture<Void>> told = new ArrayList<>();
    List<Map.Entry<DeviceId, Long>> rules = new ArrayList<>();
    for (SwitchOperation operation : operations) {
      long cookie = translator.toOnos(device, operation.flow()).id().value();
      rules.add(Map.entry(device, cookie));
      repeated.remove(Map.entry(device, cookie));
      told.add(asked.asked(device, cookie, operation));
    }
    return apply(device, operations)
        .thenCompose(
            problem ->
                problem.equals(DONE)
                    ? CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
                        .thenApply(nothing -> DONE)
                        .completeOnTimeout(NOT_SENT, HEARD_MILLIS, TimeUnit.MILLISECONDS)
                    : CompletableFuture.completedFuture(problem))
        .thenCompose(
            problem ->
                problem.equals(DONE)
                    ? channel
                        .settled(device)
                        .thenCompose(nothing -> repeated(rules))
                        .thenApply(nothing -> DONE)
                    : CompletableFuture.completedFuture(problem));
  }

  /** Completes when nothing is asked again of any of the rules. */
  private CompletableFuture<Void> repeated(List<Map.Entry<DeviceId, Long>> rules) {
    return CompletableFuture.allOf(
        rules.stream()
            .map(repeated::get)
            .filter(Objects::nonNull)
            .toArray(CompletableFuture[]::new));
  }

  /** ONOS confirms a batch by a barrier of its own. */
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
    asked
        .sent(device, message, told -> tellAgain(device, told))
        .ifPresent(
            undone -> {
              pending.undone();
              LOG.debug("{}: ONOS undid {}", device, undone);
              askAgain(device, message.getCookie().getValue(), undone);
            });
  }

  /** Or ONOS would undo it each time it reads the switch. */
  private void askAgain(DeviceId device, long cookie, SwitchOperation undone) {
    Map.Entry<DeviceId, Long> rule = Map.entry(device, cookie);
    CompletableFuture<String> again = new CompletableFuture<>();
    repeated.put(rule, again);
    again.whenComplete((problem, error) -> repeated.remove(rule, again));
    executor.execute(
        () -> {
          if (asked.isLatest(device, cookie, undone)) {
            apply(device, List.of(undone)).thenAccept(again::complete);
          } else {
            again.complete(DONE);
          }
        });
  }

  private void tellAgain(DeviceId device, OFFlowMod told) {
    try {
      channel.send(device, factory -> List.of(told));
    } catch (SouthboundException e) {
      LOG.debug("left to the audit: {}", e.getMessage());
    }
  }
}
