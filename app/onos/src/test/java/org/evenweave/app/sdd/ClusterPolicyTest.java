package org.evenweave.app.sdd;

import static org.evenweave.app.sdd.FakeOnos.HERE;
import static org.evenweave.app.sdd.FakeOnos.THERE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.ws.rs.core.Response;
import org.evenweave.app.VirtualExecutor;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddEdgeResource;
import org.evenweave.sdd.rest.SddSharingResource;
import org.evenweave.sdd.rest.SddTriggersResource;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.service.StorageException;

/** What operators change is the same on all instances. */
class ClusterPolicyTest {
  private static final String WEB = sharing("web", 1);
  private static final String MAIL = sharing("mail", 1);

  @TempDir static Path temporary;

  private final List<Instance> instances = new ArrayList<>();
  private final FakeOnos.Storage storage = new FakeOnos.Storage();

  /** An instance's part of the application. */
  private final class Instance {
    private final FakeOnos.Configs configs = new FakeOnos.Configs();
    private final FakeOnos.Leaderships leaderships = new FakeOnos.Leaderships();
    private final VirtualExecutor executor = new VirtualExecutor();
    private final SddManager manager = FakeOnos.manager(leaderships, configs, storage);

    Instance(NodeId leader, NodeId... others) {
      manager.startOn(executor);
      instances.add(this);
      elect(leader, others);
    }

    void elect(NodeId leader, NodeId... others) {
      leaderships.elect(leader, others);
      executor.pass(0, TimeUnit.SECONDS);
    }

    /**
     * @param sharing null: no SDD controller is configured
     */
    void configure(String sharing, String more) throws Exception {
      Path keys = SessionBed.keys(temporary.resolve("keys"));
      configs.apply(
          sharing == null
              ? null
              : "{\"hosts\":[\"h0\"],\"listen\":\"0.0.0.0:0\",\"keys\":\""
                  + keys
                  + "\",\"sharing\":"
                  + sharing
                  + more
                  + "}");
      executor.pass(0, TimeUnit.SECONDS);
    }

    SddController controller() {
      return manager.controller().orElseThrow();
    }

    void put(String sharing) throws Exception {
      controller()
          .replaceSharing(
              SddConfigReader.readSharing(
                  new ObjectMapper().readTree(sharing), controller().config()));
    }

    List<String> classes() {
      return controller().sharing().config().classes().stream()
          .map(TrafficClass::name)
          .collect(Collectors.toList());
    }
  }

  private static String sharing(String name, int weight) {
    return String.format(
        Locale.ROOT,
        "{\"classes\":[{\"name\":\"%s\",\"weight\":%d,\"flows\":[{}]}]}",
        name,
        weight);
  }

  @AfterEach
  void deactivate() {
    instances.forEach(instance -> instance.manager.deactivate());
  }

  @Test
  void theNextLeaderHasWhatWasPutAtTheOneBefore() throws Exception {
    Instance leader = new Instance(HERE, THERE);
    leader.configure(WEB, "");
    Instance next = new Instance(THERE, HERE);
    next.configure(WEB, "");
    leader.put(MAIL);
    assertEquals(List.of("mail"), next.classes());
    next.elect(HERE);
    assertEquals(List.of("mail"), next.classes());
  }

  @Test
  void oneThatJoinsLaterHasItToo() throws Exception {
    Instance leader = new Instance(HERE, THERE);
    leader.configure(WEB, "");
    leader.put(MAIL);
    Instance late = new Instance(THERE, HERE);
    late.configure(WEB, "");
    assertEquals(List.of("mail"), late.classes());
    // Also in a controller that another loop makes start anew.
    leader.configure(WEB, ",\"loop\":\"loose\"");
    assertEquals(List.of("mail"), leader.classes());
  }

  @Test
  void theNetworkConfigurationsOwnClassesEndIt() throws Exception {
    Instance leader = new Instance(HERE, THERE);
    leader.configure(WEB, "");
    Instance next = new Instance(THERE, HERE);
    next.configure(WEB, "");
    leader.put(MAIL);
    leader.configure(sharing("web", 2), "");
    next.configure(sharing("web", 2), "");
    assertEquals(List.of("web"), leader.classes());
    assertEquals(List.of("web"), next.classes());
    leader.configure(WEB, "");
    next.configure(WEB, "");
    assertEquals(List.of("web"), next.classes());
  }

  /** As from a leader that was away in the middle of its writing. */
  @Test
  void whatIsWrittenLateDoesNotTakeTheNewestsPlace() throws Exception {
    Instance only = new Instance(HERE);
    only.configure(WEB, "");
    PolicyState[] first = new PolicyState[1];
    only.controller()
        .policy()
        .tell(
            state -> {
              first[0] = first[0] == null ? state : first[0];
              return Optional.empty();
            });
    only.put(MAIL);
    only.put(WEB);
    new ClusterPolicy(storage, ignored -> {}).put(first[0]);
    only.configure(WEB, ",\"loop\":\"loose\"");
    assertEquals(List.of("web"), only.classes());
    assertTrue(only.controller().policy().current().version() > first[0].version());
  }

  private static void assertUnconfirmed(String problem, Response answer) {
    assertEquals(503, answer.getStatus());
    assertEquals(
        "{\"error\":\"it is changed here, but " + problem + "; send it again\"}",
        answer.getEntity());
  }

  @Test
  void whereTheStoreFailsTheAnswerSaysThatTheChangeCountsHereOnly() throws Exception {
    Instance only = new Instance(HERE);
    only.configure(WEB, "");
    SddSharingResource rest = new SddSharingResource(only.controller());
    storage.fails = true;
    String failure =
        "the cluster's store has failed and may not have it: " + new StorageException.Unavailable();
    assertUnconfirmed(failure, rest.replace(MAIL));
    assertEquals(List.of("mail"), only.classes());
    assertUnconfirmed(failure, rest.remove());
    assertEquals(List.of(), only.classes());
    SddTriggersResource triggers = new SddTriggersResource(only.controller());
    String any = "[{\"name\":\"any\",\"queue\":\"packet\",\"when\":\"TRUE\"}]";
    assertUnconfirmed(failure, triggers.replace(any));
    assertEquals(1, only.controller().triggers().config().triggers().size());
    assertUnconfirmed(failure, triggers.remove());
    SddEdgeResource edge = new SddEdgeResource(only.controller());
    assertUnconfirmed(failure, edge.order("{\"reportMs\":200}"));
    storage.fails = false;
    assertEquals(200, rest.replace(MAIL).getStatus());
    assertEquals(200, edge.order("{}").getStatus());
    assertEquals(204, triggers.remove().getStatus());
  }

  @Test
  void whereTheStoreDoesNotAnswerInTimeTheAnswerSaysSoAndTheChangeMayCountLater() throws Exception {
    Instance leader = new Instance(HERE, THERE);
    leader.configure(WEB, "");
    Instance next = new Instance(THERE, HERE);
    next.configure(WEB, "");
    storage.hangs = true;
    assertUnconfirmed(
        "the cluster's store has not confirmed it within a second",
        new SddSharingResource(leader.controller()).replace(MAIL));
    assertEquals(List.of("mail"), leader.classes());
    assertEquals(List.of("web"), next.classes());
    storage.answerLate();
    assertEquals(List.of("mail"), next.classes());
  }

  /** Also where the controller has to start anew, and so knows nothing of the one before. */
  @Test
  void whatWasPutDoesNotComeBackWithTheConfigurationThatItChanged() throws Exception {
    Instance leader = new Instance(HERE, THERE);
    leader.configure(WEB, "");
    Instance next = new Instance(THERE, HERE);
    next.configure(WEB, "");
    leader.put(MAIL);
    for (String[] configuration :
        new String[][] {{sharing("web", 2), ",\"loop\":\"loose\""}, {WEB, ""}}) {
      leader.configure(configuration[0], configuration[1]);
      next.configure(configuration[0], configuration[1]);
      assertEquals(List.of("web"), leader.classes());
      assertEquals(List.of("web"), next.classes());
    }
    next.elect(HERE);
    assertEquals(List.of("web"), next.classes());
  }

  @Test
  void itEndsWithTheController() throws Exception {
    Instance only = new Instance(HERE);
    only.configure(WEB, "");
    only.put(MAIL);
    only.configure(null, "");
    only.configure(WEB, "");
    assertEquals(List.of("web"), only.classes());
  }
}
