package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.PairRates;
import org.evenweave.engine.forwarding.PlanPreview;
import org.evenweave.engine.whatif.FailureSurvey;
import org.evenweave.engine.whatif.Supposition;
import org.evenweave.engine.whatif.WhatIf;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** What would follow from a change is what then follows from it. */
class EngineWhatIfTest extends EngineFixture {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Random drains and speeds, supposed and then configured. */
  @Property(tries = 60)
  void whatIsComputedIsWhatThenHappens(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EngineWhatIfTest run = new EngineWhatIfTest();
    run.start(Fabrics.random(random, switches, links), seed);
    WeightRule rule = RULES.get(random.nextInt(RULES.size()));
    run.engine.useRule(rule);
    run.loop.runFor(5 * SECOND_NANOS);
    Fabric fabric = run.engine.configuration().intended();
    ObjectNode excluded = JSON.objectNode();
    ArrayNode ends = excluded.putArray("links");
    excluded.putArray("switches");
    if (random.nextBoolean()) {
      ends.add(fabric.end(random.nextInt(fabric.arcCount())).toString());
    }
    if (random.nextInt(4) == 0) {
      excluded.withArray("switches").add(fabric.switchId(random.nextInt(switches)));
    }
    if (cutsOff(fabric, excluded)) {
      // No plan could keep every packet, and the fake network refuses those that do not.
      ends.removeAll();
      excluded.withArray("switches").removeAll();
    }
    ObjectNode patch = JSON.objectNode();
    patch.set("excluded", excluded);
    ArrayNode all = (ArrayNode) ConfigWriter.write(run.engine.configuration()).get("links");
    ObjectNode supposed = JSON.objectNode();
    supposed.set("exclude", excluded);
    ArrayNode changed = supposed.putArray("links");
    if (random.nextBoolean()) {
      ObjectNode link = (ObjectNode) all.get(random.nextInt(all.size()));
      link.put("bps", 1 + random.nextLong(40_000_000_000L));
      changed.add(link);
      patch.set("links", all);
    }
    long last = run.engine.events().lastSequence();
    WhatIf whatIf = run.whatIf();
    DesiredState before = run.engine.view().desired();
    DesiredState after = whatIf.after(Supposition.read(supposed.toString()));
    PlanPreview plan = whatIf.plan(after);
    assertSame(before, run.engine.view().desired());
    run.engine.change(present -> ConfigUpdate.patched(present, patch.toString()));
    run.loop.runFor(5 * SECOND_NANOS);
    assertTrue(run.engine.view().status().confirmed());
    assertEquals(members(after), members(run.engine.view().desired()));
    if (rule == WeightRule.EQUAL || rule == WeightRule.EFFECTIVE_CAPACITY) {
      // One plan leads there, since no flow is computed later.
      assertEquals(after.tables(), run.engine.view().installed());
      // None where the new configuration is the old one.
      List<Event> events = run.engine.events().since(last);
      assertEquals(plan.groupChanges(), events.isEmpty() ? 0 : events.get(0).groupsChanged());
      assertEquals(plan.flowChanges(), events.isEmpty() ? 0 : events.get(0).flowsChanged());
    }
  }

  /** Excluded, it forwards nothing, and checks no source addresses. */
  @Test
  void aSwitchWithoutLinksIsExcluded() {
    whatIsComputedIsWhatThenHappens(3, 1, -2);
  }

  private static boolean cutsOff(Fabric fabric, ObjectNode excluded) {
    Fabric rest = fabric;
    for (int link = 0; link < fabric.linkCount(); link++) {
      for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
        String end = "\"" + fabric.end(arc) + "\"";
        String id = "\"" + fabric.switchId(fabric.from(arc)) + "\"";
        if (excluded.get("links").toString().contains(end)
            || excluded.get("switches").toString().contains(id)) {
          rest = rest.withLinksDown(link);
        }
      }
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      DestinationRoutes before = WeightRule.EQUAL.routes(fabric, fabric.subnetSwitch(i));
      DestinationRoutes after = WeightRule.EQUAL.routes(rest, fabric.subnetSwitch(i));
      for (int s = 0; s < fabric.switchCount(); s++) {
        if (before.hops(s) >= 0 && after.hops(s) < 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Each failure of the survey, against one computed from nothing. */
  @Property(tries = 30)
  void theSurveyOfFailuresIsWhatEachFailureByItselfGives(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 14) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EngineWhatIfTest run = new EngineWhatIfTest();
    run.start(Fabrics.random(random, switches, links), seed);
    run.engine.useRule(RULES.get(random.nextInt(RULES.size())));
    run.loop.runFor(5 * SECOND_NANOS);
    WhatIf whatIf = run.whatIf();
    DesiredState base = whatIf.after(Supposition.read("{}"));
    PairRates rates = PairRates.of(base);
    FailureSurvey survey = new FailureSurvey(whatIf, base, rates);
    for (int i = 0; i < survey.count(); i++) {
      FailureSurvey.Failure failure = survey.failure(i);
      String end =
          failure.ofSwitch() ? failure.name() : failure.name().replaceFirst("(/[0-9]+)-.*", "$1");
      DesiredState alone =
          whatIf.after(
              Supposition.read(
                  failure.ofSwitch()
                      ? "{\"exclude\":{\"switches\":[\"" + end + "\"]}}"
                      : "{\"exclude\":{\"links\":[\"" + end + "\"]}}"));
      assertEquals(
          slowAccount(base, rates, PairRates.of(alone), failure),
          failure.slowerPairs() + " slower, " + failure.cutPairs() + " cut");
    }
  }

  private static String slowAccount(
      DesiredState base, PairRates before, PairRates after, FailureSurvey.Failure failure) {
    int slower = 0;
    int cut = 0;
    double worst = 1;
    int[] endpoints = before.endpoints();
    for (int s = 0; s < endpoints.length; s++) {
      for (int d = 0; d < endpoints.length; d++) {
        Fabric fabric = base.routing().snapshot().fabric();
        boolean ofFailed =
            fabric.switchId(endpoints[s]).equals(failure.name())
                || fabric.switchId(endpoints[d]).equals(failure.name());
        if (s != d && !ofFailed && before.bps(s, d) > 0) {
          cut += after.bps(s, d) == 0 ? 1 : 0;
          slower += after.bps(s, d) > 0 && after.bps(s, d) < before.bps(s, d) ? 1 : 0;
          if (after.bps(s, d) > 0) {
            worst = Math.min(worst, after.bps(s, d) / before.bps(s, d));
          }
        }
      }
    }
    if (failure.hasWorst()) {
      assertEquals(worst, failure.worstAfterBps() / failure.worstBeforeBps(), 1e-9);
    }
    return slower + " slower, " + cut + " cut";
  }

  /** By switch and use, each port with its weight and slots. */
  private static Map<String, List<String>> members(DesiredState state) {
    Map<String, List<String>> members = new TreeMap<>();
    for (GroupState group : state.groups()) {
      TreeMap<Integer, String> ports = new TreeMap<>();
      for (int i = 0; i < group.memberCount(); i++) {
        ports.put(group.port(i), group.port(i) + ":" + group.idealWeight(i));
      }
      group
          .destinations()
          .forEach(to -> members.put(group.switchId() + " " + to, List.copyOf(ports.values())));
      group
          .pairs()
          .forEach(pair -> members.put(group.switchId() + pair, List.copyOf(ports.values())));
    }
    return members;
  }

  private WhatIf whatIf() {
    CompletableFuture<WhatIf> future = engine.whatIf();
    loop.runFor(0);
    return future.join();
  }

  @Test
  void aLinkThatIsAddedCarriesTraffic() {
    start(Fabrics.figure32(), 3);
    DesiredState after =
        whatIf()
            .after(
                Supposition.read(
                    "{\"links\":[{\"a\":\"s1-0/50\",\"b\":\"s2-0/50\",\"bps\":10000000000}]}"));
    GroupState group =
        after.groupsAt("s1-0").stream()
            .filter(state -> state.destinations().contains("s1-2"))
            .findFirst()
            .orElseThrow();
    assertEquals(5, group.memberCount());
    assertEquals(4, group("s1-0", "s1-2").memberCount());
  }

  @Test
  void throughputIsThatOfTheLinkThatFillsFirst() {
    start(Fabrics.figure32(), 4);
    PairRates rates = PairRates.of(engine.view().desired());
    // Two of four uplinks lead to one link of 10 Gb/s, with 43 of 256 slots each.
    double expected = 10e9 / (86 / 256.0);
    assertEquals(expected, rates.bps(0, 2), 1);
  }

  @Test
  void whatIsNotInTheNetworkIsRefusedByItsField() {
    start(Fabrics.figure32(), 5);
    Map<String, String> errors =
        Map.of(
            "{\"exclude\":{\"switches\":[\"s1-9\"]}}",
            "exclude.switches[0] the network has no switch \"s1-9\"",
            "{\"exclude\":{\"links\":[\"s1-0/77\"]}}",
            "exclude.links[0] the network has no link with the end s1-0/77",
            "{\"links\":[{\"a\":\"s1-0/1\",\"b\":\"s2-1/40\",\"bps\":1}]}",
            "links[0].a s1-0/1 is the end of another link; name a free port",
            "{\"links\":[{\"a\":\"s1-0/60\",\"b\":\"s1-0/61\",\"bps\":1}]}",
            "links[0] both ends are on switch \"s1-0\"");
    WhatIf whatIf = whatIf();
    errors.forEach(
        (json, problem) -> {
          FabricException e =
              assertThrows(FabricException.class, () -> whatIf.after(Supposition.read(json)), json);
          assertEquals(problem, e.path() + " " + e.problem());
        });
  }

  @Test
  void nothingIsAnsweredBeforeAnythingWasComputed() {
    VirtualLoop ownLoop = new VirtualLoop();
    Fabric fabric = Fabrics.figure32();
    network = new FakeNetwork(fabric, ownLoop, 6);
    engine =
        new Engine(
            new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
            network,
            network,
            ownLoop);
    CompletableFuture<WhatIf> future = engine.whatIf();
    ownLoop.runFor(0);
    assertTrue(future.isCompletedExceptionally());
  }
}
