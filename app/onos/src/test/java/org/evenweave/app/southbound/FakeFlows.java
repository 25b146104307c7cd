package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;

/** Keeps what it is batches for; the test says what it knows, and answers. */
final class FakeFlows extends FlowRuleServiceAdapter {
  final List<FlowRuleOperations> batches = new ArrayList<>();
  private final List<FlowEntry> store = new ArrayList<>();
  private final FlowTranslator translator;

  FakeFlows(ApplicationId application) {
    this.translator = new FlowTranslator(application);
  }

  void knows(DeviceId device, FlowRule rule, FlowEntry.FlowEntryState state) {
    store.add(new DefaultFlowEntry(translator.toOnos(device, rule), state));
  }

  void confirm() {
    List.copyOf(batches).forEach(operations -> operations.callback().onSuccess(operations));
  }

  void refuse() {
    List.copyOf(batches).forEach(operations -> operations.callback().onError(operations));
  }

  /** As "ADD 10.0.1.0/24", in order. */
  List<String> inWords() {
    return batches.stream()
        .flatMap(operations -> operations.stages().stream())
        .flatMap(java.util.Collection::stream)
        .map(operation -> operation.type() + " " + operation.rule().selector())
        .collect(Collectors.toList());
  }

  @Override
  public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
    return store;
  }

  @Override
  public void apply(FlowRuleOperations operations) {
    batches.add(operations);
  }
}
