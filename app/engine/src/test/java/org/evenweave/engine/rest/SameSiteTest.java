package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What each runtime makes of it, its own tests show. */
class SameSiteTest {
  private static final List<String> NO_ORIGIN = List.of();

  @Test
  void aServerThatAuthenticatesTakesAnyName() {
    SameSite site = SameSite.withAnyName();
    assertNull(site.check(List.of("onos.example:8181"), NO_ORIGIN));
    assertNull(site.check(List.of("onos.example:8181"), List.of("http://onos.example:8181")));
    assertEquals(403, site.check(List.of("onos:8181"), List.of("http://evil.example")).status());
    assertEquals(400, site.check(List.of("a/b"), NO_ORIGIN).status());
  }

  @Test
  void aServerThatDoesNotTakesItsOwnNamesAndSaysHowToAddOne() {
    SameSite site = SameSite.withNames(List.of("Fabric.example"), "--name");
    assertNull(site.check(List.of("fabric.example"), NO_ORIGIN));
    assertNull(site.check(List.of("localhost:8282"), NO_ORIGIN));
    SameSite.Refusal refusal = site.check(List.of("evil.example"), NO_ORIGIN);
    assertEquals(403, refusal.status());
    assertEquals(
        "\"evil.example\" is not a name of this server; --name evil.example allows it",
        refusal.reason());
  }
}
