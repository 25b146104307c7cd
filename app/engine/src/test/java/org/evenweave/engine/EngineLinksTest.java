package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.UnexpectedLink;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

/** Links that probes find and the configuration does not have. */
class EngineLinksTest extends EngineFixture {
  private static final String HOST_AT_S1_0 = "s1-0/" + FakeNetwork.HOST_PORT;
  private static final String HOST_AT_S1_2 = "s1-2/" + FakeNetwork.HOST_PORT;

  @Test
  void hostsThatRelayProbesChangeNoTableAndStayKnown() {
    start(Fabrics.figure32(), 21);
    engine.nib().hostSeen(new Host(0x0a000002, 0x020000000001L, "s1-0", FakeNetwork.HOST_PORT));
    engine.changes().changed();
    loop.runFor(SECOND_NANOS);
    int before = network.operations();
    network.relayProbes(HOST_AT_S1_0, HOST_AT_S1_2);
    loop.runFor(SECOND_NANOS);
    network.relayProbes(HOST_AT_S1_0, HOST_AT_S1_2);
    loop.runFor(SECOND_NANOS);
    assertEquals(before, network.operations());
    assertConverged();
    assertEquals(1, engine.view().snapshot().hosts().size());
    assertTrue(engine.nib().edgePorts("s1-2").contains(FakeNetwork.HOST_PORT));
    assertEquals(List.of(HOST_AT_S1_0 + "-" + HOST_AT_S1_2), unexpected());
    assertEquals(List.of(HOST_AT_S1_0 + "-" + HOST_AT_S1_2), subjects(Event.Kind.UNEXPECTED_LINK));
  }

  @Test
  void aMiscabledLinkIsReportedWithBothNamesAndCarriesNothing() {
    Fabric fabric = Fabrics.figure32();
    network = new FakeNetwork(fabric, loop, 22);
    network.cut(linkNamed(fabric, "s1-0/3-s2-1/1"));
    startEngine(fabric);
    network.connectAll();
    loop.runFor(6 * SECOND_NANOS);
    int before = network.operations();
    network.relayProbes("s1-0/3", HOST_AT_S1_2);
    loop.runFor(SECOND_NANOS);
    assertEquals(before, network.operations());
    assertEquals(
        List.of("s1-0/3-s1-2/1000 instead of s1-0/3-s2-1/1"), subjects(Event.Kind.MISCABLED_LINK));
    UnexpectedLink link = engine.view().snapshot().unexpectedLinks().get(0);
    assertEquals(List.of("s1-0/3-s2-1/1"), link.configured());
  }

  @Test
  void probesRelayedFromALinkDoNotDisplaceItsOwn() {
    start(Fabrics.figure32(), 23);
    int before = network.operations();
    network.relayProbes("s1-0/3", "s1-2/2");
    network.relayProbes("s1-0/3", HOST_AT_S1_0);
    loop.runFor(SECOND_NANOS);
    assertEquals(before, network.operations());
    assertEquals(12, engine.view().snapshot().linkCount());
    assertEquals(2, unexpected().size());
    assertConverged();
  }

  @Test
  void aLinkThatIsNotConfiguredCarriesTrafficOnlyWhereLinksAreDiscovered() {
    start(Fabrics.figure32(), 24);
    ObjectNode json = ConfigWriter.write(engine.configuration());
    ((ArrayNode) json.get("links")).remove(0);
    engine.reconfigure(ConfigReader.of(json));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(11, engine.view().snapshot().linkCount());
    assertEquals(List.of("s1-0/1-s2-0/1"), unexpected());
    assertEquals(3, group("s1-0", "s1-2").memberCount());
    json.put("links", "discovered");
    engine.reconfigure(ConfigReader.of(json));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(12, engine.view().snapshot().linkCount());
    assertEquals(List.of(), unexpected());
    assertEquals(4, group("s1-0", "s1-2").memberCount());
  }

  private List<String> unexpected() {
    return engine.view().snapshot().unexpectedLinks().stream()
        .map(UnexpectedLink::name)
        .collect(Collectors.toList());
  }

  private List<String> subjects(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }
}
