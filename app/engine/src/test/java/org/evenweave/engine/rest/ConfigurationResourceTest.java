package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.ws.rs.ClientErrorException;
import javax.ws.rs.NotFoundException;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole configurations, patches and exclusions through REST, on a converged engine. */
class ConfigurationResourceTest extends ConvergedEngine {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final ConfigurationResource configuration = new ConfigurationResource(engine);
  private final ExclusionsResource exclusions = new ExclusionsResource(engine);

  private ObjectNode present() throws IOException {
    return (ObjectNode) JSON.readTree(configuration.configuration());
  }

  private String refusal(String body) {
    return assertThrows(ClientErrorException.class, () -> configuration.configure(body))
        .getMessage();
  }

  @ParameterizedTest
  @CsvSource({"switches, 6", "links, 12", "subnets, 3"})
  void aFabricIsNotEmptiedByOmission(String field, int count) throws IOException {
    ObjectNode before = present();
    ObjectNode without = before.deepCopy();
    without.remove("excluded");
    for (String emptied : new String[] {"switches", "links", "subnets"}) {
      if (emptied.equals(field) || field.equals("switches")) {
        without.remove(emptied);
      }
    }
    if (field.equals("links")) {
      without.putArray("links");
    }
    assertEquals(
        field
            + ": the new configuration has none and the present one has "
            + count
            + "; to change single fields use PATCH, to remove all of them add \"allowEmpty\": true",
        refusal(without.toString()));
    loop.runFor(SECOND_NANOS);
    assertEquals(before, present());
    assertEquals(6, engine.view().groups().size());
  }

  @Test
  void aSingleFieldIsNoWholeConfiguration() throws IOException {
    ObjectNode before = present();
    assertTrue(refusal("{\"strategy\":\"ecmp\"}").startsWith("switches: the new configuration"));
    assertEquals(before, present());
  }

  @Test
  void aFabricIsEmptiedByWhoSaysSo() throws IOException {
    assertEquals(
        "allowEmpty: must be true or false, not \"yes\"", refusal("{\"allowEmpty\":\"yes\"}"));
    configuration.configure("{\"allowEmpty\":true}");
    assertEquals(0, present().get("switches").size());
    assertEquals(false, present().has("allowEmpty"));
  }

  @Test
  void aPatchChangesTheFieldsItNamesAndNoOthers() throws IOException {
    ObjectNode before = present();
    configuration.patch("{\"strategy\":\"ecmp\",\"excluded\":{\"switches\":[\"s2-1\"]}}");
    configuration.patch("{\"excluded\":{\"links\":[\"s1-0/1\"]},\"maxOversubscription\":1.050}");
    ObjectNode expected = before.deepCopy();
    expected.put("strategy", "ecmp");
    expected.set("maxOversubscription", JSON.readTree("1.050"));
    expected.set("excluded", JSON.readTree("{\"switches\":[\"s2-1\"],\"links\":[\"s1-0/1\"]}"));
    assertEquals(expected.toString(), present().toString());
    assertTrue(configuration.configuration().contains("1.050"), configuration.configuration());
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().converged());
    configuration.patch(
        "{\"strategy\":null,\"maxOversubscription\":null,\"excluded\":{\"switches\":[],\"links\":null}}");
    before.put("strategy", "auto");
    assertEquals(before, present());
    configuration.patch("{}");
    assertEquals(before, present());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400|[]|patch: must be an object",
        "400|{|patch: is not JSON",
        "400|{\"strategie\":null}|strategie: unknown field",
        "400|{\"excluded\":{\"hosts\":null}}|excluded.hosts: unknown field",
        "400|{\"excluded\":[]}|excluded: must be an object",
        "400|{\"damping\":{\"halflife\":null}}|damping.halflife: unknown field",
        "400|{\"damping\":{\"reuse\":true}}|damping.reuse: must be a whole number",
        "400|{\"minNextHops\":{}}|minNextHops: must be a whole number",
        "409|{\"damping\":{\"suppress\":500}}|damping: suppress must be greater than reuse",
        "400|{\"strategy\":\"best\"}|strategy: must be \"auto\", \"wcmp\", \"maxflow\", \"pair\","
            + " \"traffic\" or \"ecmp\"",
        "409|{\"excluded\":{\"switches\":[\"s9-9\"]}}|excluded.switches[0]: no switch \"s9-9\"",
        "409|{\"subnets\":null}|subnets: the new configuration has none",
        "409|{\"strategy\":\"ecmp\",\"links\":[]}|links: the new configuration has none",
      })
  void aPatchThatIsWrongChangesNothing(int status, String patch, String error) throws IOException {
    ObjectNode before = present();
    ClientErrorException refusal =
        assertThrows(ClientErrorException.class, () -> configuration.patch(patch));
    assertEquals(status, refusal.getResponse().getStatus());
    assertTrue(refusal.getMessage().startsWith(error), refusal.getMessage());
    assertEquals(before, present());
  }

  @Test
  void switchesAndLinksAreDrainedAndTakenBackOneByOne() {
    assertEquals("{\"switches\":[\"s2-1\"],\"links\":[]}", exclusions.exclude("s2-1"));
    // The same link by both of its ends.
    exclusions.exclude("s1-0/1");
    assertEquals("{\"switches\":[\"s2-1\"],\"links\":[\"s1-0/1\"]}", exclusions.exclude("s2-0/1"));
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().converged());
    assertEquals(Map.of(), network.tables("s2-1").flows());
    assertEquals(Set.of(), network.lossy());
    assertEquals("{\"switches\":[\"s2-1\"],\"links\":[]}", exclusions.include("s2-0/1"));
    assertEquals("{\"switches\":[],\"links\":[]}", exclusions.include("s2-1"));
    assertEquals("{\"switches\":[],\"links\":[]}", exclusions.include("s2-1"));
  }

  @Test
  void whatIsNotThereCannotBeDrained() {
    for (String element : new String[] {"s9-9", "s1-0/77", "s9-9/1", "s1-0/", "/"}) {
      assertThrows(NotFoundException.class, () -> exclusions.exclude(element), element);
      assertThrows(NotFoundException.class, () -> exclusions.include(element), element);
    }
    assertEquals("{\"switches\":[],\"links\":[]}", exclusions.exclusions());
  }

  @Test
  void noChangeIsLostToAnotherOfTheSameTime() {
    AtomicInteger calls = new AtomicInteger();
    engine.change(
        config -> {
          if (calls.incrementAndGet() == 1) {
            engine.useRule(WeightRule.EQUAL);
          }
          return config.withExcluded(Set.of("s2-1"), Set.of());
        });
    assertEquals(2, calls.get());
    assertEquals(WeightRule.EQUAL, engine.configuration().weightRule());
    assertEquals(Set.of("s2-1"), engine.configuration().excludedSwitches());
  }
}
