package org.evenweave.app.sdd;

import static org.evenweave.app.sdd.FakeOnos.HERE;
import static org.evenweave.app.sdd.FakeOnos.THERE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.evenweave.app.VirtualExecutor;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.cluster.NodeId;

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
        "{\"classes\":[{\"name\":\"%s\",\"weight\":%d,\"flows\":[{}]}]}", name, weight);
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
    only.controller().policy().tell(state -> first[0] = first[0] == null ? state : first[0]);
    only.put(MAIL);
    only.put(WEB);
    new ClusterPolicy(storage, ignored -> {}).put(first[0]);
    only.configure(WEB, ",\"loop\":\"loose\"");
    assertEquals(List.of("web"), only.classes());
    assertTrue(only.controller().policy().current().version() > first[0].version());
  }

  @Test
  void whereTheStoreDoesNotAnswerAChangeCountsHere() throws Exception {
    Instance only = new Instance(HERE);
    only.configure(WEB, "");
    storage.answers = false;
    only.put(MAIL);
    assertEquals(List.of("mail"), only.classes());
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
