package org.evenweave.sdd.handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyStateTest {
  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private static PolicyState configured(String sharing) throws Exception {
    return PolicyState.configured(json(sharing), json("[]"), json("{}"));
  }

  private static PolicyState changed(long version, String sharing) throws Exception {
    return configured("{}").changed(version, json(sharing), json("[]"), json("{}"));
  }

  @Test
  void aLaterChangeTakesTheEarlierOnesPlaceAndNotTheOtherWay() throws Exception {
    PolicyState earlier = changed(5, "{\"a\":1}");
    PolicyState later = changed(6, "{\"a\":0}");
    assertTrue(later.isNewerThan(earlier));
    assertFalse(earlier.isNewerThan(later));
    assertFalse(later.isNewerThan(later));
  }

  @Test
  void ofTwoChangesAtTheSameMomentAllChooseTheSameOne() throws Exception {
    PolicyState one = changed(5, "{\"a\":1}");
    PolicyState other = changed(5, "{\"a\":2}");
    assertNotEquals(one.isNewerThan(other), other.isNewerThan(one));
  }

  @Test
  void whatIsConfiguredIsNeverHandedOver() throws Exception {
    assertFalse(configured("{\"a\":1}").isNewerThan(configured("{}")));
    assertFalse(configured("{}").isNewerThan(configured("{\"a\":1}")));
    assertTrue(changed(1, "{}").isNewerThan(configured("{}")));
  }

  @Test
  void theSameConfigurationWrittenDifferentlyIsTheSame() throws Exception {
    String base = configured("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}").base();
    assertEquals(base, configured("{\"b\":{\"d\":3,\"c\":2},\"a\":1}").base());
    assertNotEquals(base, configured("{\"b\":{\"d\":3,\"c\":2},\"a\":2}").base());
  }

  @Test
  void itIsReadAsItWasWritten() throws Exception {
    PolicyState state = changed(7, "{\"a\":1}");
    PolicyState read = PolicyState.of(state.json());
    assertEquals(state.json(), read.json());
    assertFalse(read.isNewerThan(state));
    assertFalse(state.isNewerThan(read));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"version\":1.5e99,\"base\":\"b\",\"sharing\":{},\"triggers\":[],\"edge\":{}}",
        "{\"version\":1,\"base\":2,\"sharing\":{},\"triggers\":[],\"edge\":{}}",
        "{\"version\":1,\"base\":\"b\",\"sharing\":[],\"triggers\":[],\"edge\":{}}",
        "{\"version\":1,\"base\":\"b\",\"sharing\":{},\"triggers\":{},\"edge\":{}}",
        "{\"version\":1,\"base\":\"b\",\"sharing\":{},\"triggers\":[]}"
      })
  void whatIsNoneIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> PolicyState.of(json(text)));
  }
}
