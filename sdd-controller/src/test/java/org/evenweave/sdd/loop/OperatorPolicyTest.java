package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.session.Controllers;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators change at one controller and another one has. */
class OperatorPolicyTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WEB =
      ", \"sharing\": {\"classes\": [{\"name\": \"web\", \"flows\": [{}]}]}";

  @TempDir static Path temporary;

  private static SddController controller(String more) throws Exception {
    return new SddController(FakeCircuitNetwork.config(temporary, more));
  }

  /** Linked with others. */
  private static SddController controller(String more, SddController... others) throws Exception {
    List<String> addresses = new ArrayList<>();
    for (SddController other : others) {
      InetSocketAddress address = other.address();
      addresses.add("\"127.0.0.1:" + address.getPort() + "\"");
    }
    return controller(more + ", \"controllers\": " + addresses);
  }

  private static void replaceSharing(SddController controller, String name, int bps)
      throws Exception {
    controller.replaceSharing(SddConfigReader.readSharing(sharing(name, bps), controller.config()));
  }

  /** What an operator changes at a controller. */
  private interface Change {
    void make() throws Exception;
  }

  /** On a busy machine a linked controller may confirm it too late; tests wait until it has it. */
  private static void makeThoughUnconfirmed(Change change) throws Exception {
    try {
      change.make();
    } catch (UnconfirmedException e) {
      // It counts all the same.
    }
  }

  private static JsonNode sharing(String name, int bps) throws Exception {
    return JSON.readTree(
        "{\"capacityBps\":" + bps + ",\"classes\":[{\"name\":\"" + name + "\",\"flows\":[{}]}]}");
  }

  private static JsonNode triggerOf(String name) throws Exception {
    return JSON.readTree(
        "[{\"name\":\"t\",\"queue\":\"class:" + name + "\",\"when\":\"packets > 0\"}]");
  }

  private static String first(SddController controller) {
    return controller.sharing().config().classes().isEmpty()
        ? ""
        : controller.sharing().config().classes().get(0).name();
  }

  /** Linked both ways, and with the same policy in force. */
  private static void link(SddController controller) throws Exception {
    SessionBed.await(
        "a link",
        () ->
            controller.controllers().states().stream().allMatch(Controllers.State::hasSamePolicy));
  }

  @Test
  void aChangeAtEitherControllerIsAtBoth() throws Exception {
    try (SddController one = controller(WEB);
        SddController other = controller(WEB, one)) {
      link(other);
      makeThoughUnconfirmed(() -> replaceSharing(one, "mail", 1_000_000));
      SessionBed.await("the change", () -> first(other).equals("mail"));
      SessionBed.await(
          "its version",
          () -> one.policy().current().version() == other.policy().current().version());
      makeThoughUnconfirmed(() -> one.replaceTriggers(triggerOf("mail")));
      SessionBed.await("triggers", () -> other.triggers().config().triggers().size() == 1);
      // The other way, by the same connection.
      makeThoughUnconfirmed(() -> replaceSharing(other, "mail", 2_000_000));
      SessionBed.await("classes", () -> one.sharing().config().capacityBps() == 2_000_000);
      makeThoughUnconfirmed(
          () ->
              one.replaceEdgeOrder(
                  SddConfigReader.readEdgeOrder(JSON.readTree("{\"scheme\":\"clove-ecn\"}"))));
      SessionBed.await("an order", () -> other.edges().order().prefixes().size() == 1);
      link(other);
    }
  }

  @Test
  void oneThatComesLaterHasAllAndTellsTheNext() throws Exception {
    try (SddController one = controller(WEB)) {
      replaceSharing(one, "mail", 1_000_000);
      one.replaceTriggers(triggerOf("mail"));
      try (SddController middle = controller(WEB, one);
          SddController last = controller(WEB, middle)) {
        SessionBed.await("the change", () -> first(last).equals("mail"));
        SessionBed.await("its triggers", () -> last.triggers().config().triggers().size() == 1);
        makeThoughUnconfirmed(() -> replaceSharing(one, "mail", 3_000_000));
        SessionBed.await("the next", () -> last.sharing().config().capacityBps() == 3_000_000);
      }
    }
  }

  @Test
  void theOrderInWhichChangesComeDoesNotMatterNorHowOften() throws Exception {
    List<PolicyState> changes = new ArrayList<>();
    try (SddController one = controller(WEB)) {
      one.policy()
          .tell(
              change -> {
                changes.add(change);
                return Optional.empty();
              });
      for (int bps = 1; bps <= 5; bps++) {
        replaceSharing(one, "mail", 1_000_000 * bps);
      }
      for (long seed = 0; seed < 20; seed++) {
        List<PolicyState> heard = new ArrayList<>(changes);
        heard.addAll(changes);
        Collections.shuffle(heard, new Random(seed));
        try (SddController other = controller(WEB)) {
          heard.forEach(other.policy()::offered);
          assertEquals(5_000_000, other.sharing().config().capacityBps(), "seed " + seed);
          assertTrue(other.policy().isInForce());
        }
      }
    }
  }

  @Test
  void aChangeThatOthersMayNotHaveCountsAndSaysSo() throws Exception {
    try (SddController one = controller(WEB)) {
      one.policy().tell(change -> Optional.of("nobody has it"));
      one.policy().tell(change -> Optional.empty());
      assertEquals(
          "it is changed here, but nobody has it; send it again",
          assertThrows(UnconfirmedException.class, () -> replaceSharing(one, "mail", 1_000_000))
              .getMessage());
      assertEquals("mail", first(one));
      assertThrows(UnconfirmedException.class, () -> one.replaceTriggers(triggerOf("mail")));
      assertEquals(1, one.triggers().config().triggers().size());
      assertTrue(one.policy().isInForce());
    }
  }

  @Test
  void whereTheConfigurationIsAnotherWhatWasChangedDoesNotCount() throws Exception {
    try (SddController one = controller(WEB);
        SddController other = controller("", one)) {
      link(other);
      makeThoughUnconfirmed(() -> replaceSharing(one, "mail", 1_000_000));
      SessionBed.await("the change", () -> !other.policy().isInForce());
      assertEquals("", first(other));
      // Nor does it hold up what is changed there, which is newer.
      makeThoughUnconfirmed(() -> replaceSharing(other, "web", 2_000_000));
      assertTrue(other.policy().isInForce());
      SessionBed.await("the other's", () -> !one.policy().isInForce());
      assertEquals("mail", first(one));
    }
  }

  /** Without connections, so that the one that has its configuration later hears at once. */
  @Test
  void anotherConfigurationEndsWhatWasChangedBeforeAtAllControllers() throws Exception {
    String news = WEB.replace("web", "news");
    try (SddController leader = controller(WEB);
        SddController other = controller(WEB + ", \"standby\": true")) {
      leader
          .policy()
          .tell(
              change -> {
                other.policy().offered(change);
                return Optional.empty();
              });
      replaceSharing(leader, "mail", 1_000_000);
      assertEquals("mail", first(other));
      leader.replacePolicy(FakeCircuitNetwork.config(temporary, news));
      replaceSharing(leader, "chat", 1_000_000);
      assertEquals("mail", first(other));
      other.replacePolicy(FakeCircuitNetwork.config(temporary, news));
      assertEquals("chat", first(other));
      leader.replacePolicy(FakeCircuitNetwork.config(temporary, WEB));
      other.replacePolicy(FakeCircuitNetwork.config(temporary, WEB));
      assertEquals("web", first(leader));
      assertEquals("web", first(other));
    }
  }

  @Test
  void itsOwnAddressMayBeAmongTheControllers() throws Exception {
    int port;
    try (SddController any = controller("")) {
      port = any.address().getPort();
    }
    String itself = "\"127.0.0.1:" + port + "\"";
    Path file = temporary.resolve("sdd.json");
    FakeCircuitNetwork.config(temporary, ", \"controllers\": [" + itself + "]");
    Files.writeString(file, Files.readString(file).replace("\"127.0.0.1:0\"", itself));
    try (SddController alone = new SddController(SddConfigReader.read(file))) {
      SessionBed.await("itself", () -> alone.controllers().states().isEmpty());
      replaceSharing(alone, "mail", 1_000_000);
      assertEquals("mail", first(alone));
    }
  }
}
