package org.evenweave.standalone.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.standalone.Main;
import org.evenweave.standalone.http.HttpApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;

/** The commands against a server in this process, whose fabric has converged in virtual time. */
class ClientCommandsTest extends ConvergedEngine {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpApi api;

  @TempDir Path temporary;

  @BeforeEach
  void serve() throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    api = new HttpApi(anyPort, RestResources.of(engine), List.of());
  }

  @AfterEach
  void stop() {
    engine.events().close();
    api.close();
  }

  private int run(String... arguments) {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--server";
    all[arguments.length + 1] = api.address().toString();
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void statusShowsTheStateAndExitsWith4UnlessConverged() {
    assertEquals(0, run("status"));
    assertTrue(out.toString().startsWith("state     converged\nstrategy  wcmp\nswitches  6\n"));
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    assertEquals(4, run("status"));
    assertTrue(out.toString().contains("links     11, 1 missing\n"), out.toString());
    assertTrue(
        out.toString().contains("\nreasons\n  - link s1-0/1-s2-0/1 is down"), out.toString());
  }

  @Test
  void theTopologyIsATableOfSwitchesOrOfLinks() {
    assertEquals(0, run("topology"));
    assertTrue(out.toString().startsWith("SWITCH  STAGE  LINKS  HOSTS"), out.toString());
    assertEquals(7, out.toString().lines().count());
    assertEquals(0, run("topology", "--links"));
    assertTrue(out.toString().contains("s1-0/1  s2-0/1"), out.toString());
  }

  @Test
  void groupsPathsAndOversubscriptionAreTablesOrJson() throws Exception {
    assertEquals(0, run("groups", "s1-0"));
    assertTrue(out.toString().contains("installed     1  s2-0"), out.toString());
    assertEquals(0, run("paths", "s1-0", "s1-2"));
    assertTrue(out.toString().contains("s1-0/1-s2-0/1 s2-0/4-s1-2/1"), out.toString());
    assertEquals(0, run("oversubscription"));
    assertTrue(out.toString().contains("limit "), out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run("groups", "--json"));
    assertTrue(json().path("groups").size() > 6);
    assertFalse(json().has("next"));
  }

  @Test
  void limitsSharingAndPortsLeftOutAreColumnsWhereThereAreAny() throws Exception {
    assertEquals(0, run("oversubscription"));
    assertTrue(
        out.toString().startsWith("SWITCH  TARGET  RULES  GROUPS  ENTRIES  OVERSUBSCRIPTION\n"),
        out.toString());
    // The slow uplink of s1-0 is left out; two sets of next hops share its group.
    ObjectNode configuration = ConfigWriter.write(engine.view().configuration());
    for (JsonNode link : configuration.get("links")) {
      String end = link.get("a").asText();
      double factor = end.equals("s1-0/4") ? 0.001 : end.equals("s1-1/1") ? 0.5 : 1;
      ((ObjectNode) link).put("bps", (long) (factor * link.get("bps").asLong()));
    }
    ObjectNode limited = (ObjectNode) configuration.get("switches").get(0);
    limited.putObject("limits").put("groups", 1).put("groupEntries", 512);
    engine.change(present -> ConfigUpdate.replacement(present, configuration.toString()));
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().converged());
    out.getBuffer().setLength(0);
    assertEquals(0, run("oversubscription", "s1-0"));
    String[] rows = out.toString().lines().toArray(String[]::new);
    assertTrue(
        rows[0].matches(".*ENTRIES +LARGEST GROUP +OVERSUBSCRIPTION +SHARING +LEFT OUT"), rows[0]);
    assertTrue(
        rows[1].matches(".* 1 of 1 .* of 512 .*, at least 1[.]\\d{4} .*4 [(].* %[)]"), rows[1]);
    out.getBuffer().setLength(0);
    assertEquals(0, run("groups", "s1-0"));
    assertTrue(out.toString().contains("LEFT OUT"), out.toString());
    assertTrue(
        out.toString().matches("(?s).*one entry, 1/\\d+ of the packets, would be .*"),
        out.toString());
  }

  @Test
  void anUnknownSwitchIsRefusedWithTheControllersSentence() {
    assertEquals(1, run("groups", "nowhere"));
    assertEquals("evenweave groups: no switch \"nowhere\" is connected\n", err.toString());
  }

  @Test
  void aDrainedSwitchIsExcludedUntilItIsUndrained() {
    assertEquals(0, run("drain", "s2-1", "s1-0/1", "--wait", "0"));
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().converged());
    assertEquals("EXCLUDED\ns2-1\ns1-0/1\n", out.toString());
    assertEquals(0, run("undrain", "s2-1", "s1-0/1", "--wait", "0"));
    assertTrue(out.toString().endsWith("Nothing is excluded.\n"), out.toString());
  }

  @Test
  void drainWaitsUntilTheSwitchesHaveConfirmed() throws Exception {
    CompletableFuture<Integer> code = loop.start(() -> run("drain", "s2-1"));
    loop.runFor(SECOND_NANOS);
    assertEquals(0, code.get());
  }

  @Test
  void eventsAreLinesWithTheTimeUntilTheirConfirmation() throws Exception {
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    assertEquals(0, run("events"));
    String line = out.toString().lines().reduce((first, second) -> second).orElseThrow();
    assertTrue(
        line.matches(" *\\d+ \\S+ \\S+ link-down +s1-0/1-s2-0/1 \\(confirmed after .*"), line);
    assertTrue(out.toString().lines().noneMatch(each -> each.matches(".*\\b1 (group|rule)s .*")));
    out.getBuffer().setLength(0);
    assertEquals(0, run("events", "--json", "--since", "1"));
    assertTrue(out.toString().lines().allMatch(each -> each.startsWith("{\"sequence\":")));
  }

  @Test
  void followingEndsWithTheControllerAndHasSeenTheEvents() throws Exception {
    follow("events", "-f");
  }

  @Test
  void followingPrintsOneObjectALineWithJson() throws Exception {
    follow("events", "-f", "--json");
    ObjectMapper json = new ObjectMapper();
    for (String line : out.toString().split("\n", 0)) {
      JsonNode event = json.readTree(line);
      assertTrue(event.has("sequence") && event.has("kind"), line);
    }
  }

  private void follow(String... arguments) throws Exception {
    CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> run(arguments));
    while (!out.toString().contains("link-up")) {
      Thread.sleep(10);
    }
    engine.events().close();
    assertEquals(3, code.get());
  }

  @Test
  void hostsAreATableOfAddressesAndPorts() throws Exception {
    assertEquals(0, run("hosts"));
    assertEquals("ADDRESS  SWITCH  PORT\n", out.toString());
    network.packetIn("s1-0", FakeNetwork.HOST_PORT, gatewayRequest());
    loop.runFor(SECOND_NANOS);
    out.getBuffer().setLength(0);
    assertEquals(0, run("hosts"));
    assertEquals(" ADDRESS  SWITCH  PORT\n10.0.0.2  s1-0    1000\n", out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run("hosts", "--json"));
    assertEquals("10.0.0.2", json().get(0).get("address").asText());
  }

  /** By which the engine learns of the host 10.0.0.2. */
  private static byte[] gatewayRequest() {
    byte[] mac = {2, 0, 0, 0, 0, 1};
    return ARP.buildArpRequest(
            mac,
            new byte[] {10, 0, 0, 2},
            new byte[mac.length],
            new byte[] {10, 0, 0, 1},
            MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED)
        .serialize();
  }

  /** Runs what asks the engine's loop, in virtual time. */
  private int runInLoop(String... arguments) throws Exception {
    CompletableFuture<Integer> code = loop.start(() -> run(arguments));
    loop.runFor(SECOND_NANOS);
    return code.get();
  }

  @Test
  void whatIfShowsWhatWouldFollowAndChangesNothing() throws Exception {
    int operations = network.operations();
    assertEquals(0, runInLoop("what-if", "--exclude", "s1-2/1"), err::toString);
    String shown = out.toString();
    assertTrue(shown.startsWith("oversubscription 1.0"), shown);
    assertTrue(shown.contains("; pairs cut off 0\n"), shown);
    assertTrue(shown.contains("s1-0  s1-2  29.77 Gbit/s  20 Gbit/s\n"), shown);
    assertFalse(shown.contains("FAILURE OF"), shown);
    out.getBuffer().setLength(0);
    assertEquals(0, runInLoop("what-if", "--link", "s1-0/9,s2-0/9,10e9", "--json"));
    assertTrue(json().get("plan").get("groupsChanged").asInt() > 0, out.toString());
    assertEquals(operations, network.operations());
  }

  @Test
  void whatIfShowsEverySingleFailure() throws Exception {
    assertEquals(0, runInLoop("what-if", "--every-failure"), err::toString);
    List<String> rows =
        out.toString()
            .lines()
            .dropWhile(line -> !line.startsWith("FAILURE OF"))
            .collect(Collectors.toList());
    assertEquals(1 + 6 + fabric.linkCount(), rows.size(), out.toString());
    assertTrue(rows.stream().anyMatch(row -> row.startsWith("s1-0/3-s2-1/1 ")), out.toString());
  }

  @Test
  void whatIfExitsWith4IfPairsAreCutOff() throws Exception {
    assertEquals(4, runInLoop("what-if", "--exclude", "s1-0"), out::toString);
  }

  @Test
  void whatIfRefusesWrongLinksAndUnknownOnes() throws Exception {
    assertEquals(2, run("what-if", "--link", "s1-0/9,s2-0/9"));
    assertTrue(err.toString().contains("is not like s1-0/9,s2-0/9,10e9"), err.toString());
    assertEquals(2, run("what-if", "--link", "s1-0/9,s2-0/9,fast"));
    assertTrue(err.toString().contains("the rate \"fast\" is not a number"), err.toString());
    err.getBuffer().setLength(0);
    assertEquals(1, runInLoop("what-if", "--exclude", "nowhere"));
    assertTrue(err.toString().contains("nowhere"), err.toString());
  }

  @Test
  void verifyFabricExitsWith4IfSomethingIsFound() throws Exception {
    CompletableFuture<Integer> code = loop.start(() -> run("verify-fabric"));
    loop.runFor(SECOND_NANOS);
    assertEquals(0, code.get());
    assertEquals("6 switches were read: no problems were found\n", out.toString());
    network.clearTables("s1-0");
    code = loop.start(() -> run("verify-fabric"));
    loop.runFor(SECOND_NANOS);
    assertEquals(4, code.get());
    assertTrue(out.toString().contains("WANTED"), out.toString());
  }

  @Test
  void aConfigurationIsShownComparedAndChanged() throws Exception {
    assertEquals(0, run("config", "get"));
    Path file = temporary.resolve("fabric.json");
    Files.writeString(file, out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run("config", "diff", file.toString()), err::toString);
    assertEquals("Nothing differs.\n", out.toString());

    Path patch = Files.writeString(temporary.resolve("patch.json"), "{\"strategy\":\"ecmp\"}");
    assertEquals(0, run("config", "patch", patch.toString()));
    assertTrue(out.toString().endsWith("~ strategy: \"wcmp\" -> \"ecmp\"\n"), out.toString());
    assertEquals(4, run("config", "diff", file.toString()));
    assertEquals(0, run("config", "apply", "--dry-run", file.toString()));
    assertEquals("ecmp", engine.configuration().weightRule().strategyName());
    assertEquals(0, run("config", "apply", file.toString()));
    assertEquals("wcmp", engine.configuration().weightRule().strategyName());
  }

  @Test
  void aWrongFileIsRefusedBeforeTheControllerIsAsked() throws Exception {
    Path file = Files.writeString(temporary.resolve("bad.json"), "{\"strategy\":\"best\"}");
    assertEquals(2, run("config", "apply", "--dry-run", file.toString()));
    assertTrue(err.toString().contains("bad.json: strategy: must be"), err.toString());
    Path broken = Files.writeString(temporary.resolve("broken.json"), "{\n\"strategy\"\n");
    assertEquals(2, run("config", "diff", broken.toString()));
    assertTrue(err.toString().contains("broken.json: line "), err.toString());
  }
}
