package org.evenweave.standalone.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleTest {
  @ParameterizedTest
  @CsvSource({
    "GET, configuration, READ",
    "HEAD, status, READ",
    "OPTIONS, strategy, READ",
    "PUT, exclusions/s2-1, OPERATE",
    "DELETE, exclusions/s2-1/4, OPERATE",
    "DELETE, damping/s1/1, OPERATE",
    "POST, verification, OPERATE",
    "POST, audit, OPERATE",
    "POST, what-if, READ",
    "POST, striping, READ",
    "POST, what-if/../strategy, CONFIGURE",
    "POST, what-if;a=b, CONFIGURE",
    "PUT, strategy, CONFIGURE",
    "PATCH, configuration, CONFIGURE",
    "PUT, sdd/sharing, CONFIGURE",
    "POST, %65xclusions/s1, CONFIGURE",
    "PUT, exclusions;a=b/s1, CONFIGURE",
    "BREW, exclusionsx, CONFIGURE",
    "POST, '', CONFIGURE"
  })
  void aRequestNeedsTheLeastRoleThatMayDoIt(String method, String path, Role needed) {
    assertEquals(needed, Role.neededFor(method, path));
    for (Role each : Role.values()) {
      assertEquals(each.ordinal() >= needed.ordinal(), each.includes(needed));
    }
  }
}
