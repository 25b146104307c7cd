package org.evenweave.standalone.sdd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.standalone.Main;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.AccessFile;
import org.evenweave.standalone.access.Role;
import org.evenweave.standalone.client.Profile;
import org.evenweave.standalone.client.Rest;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.Participant;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SddCommandTest {
  @TempDir Path temporary;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  private Path config(String json) throws IOException {
    return Files.writeString(temporary.resolve("sdd.json"), json);
  }

  @Test
  void helpHasExamples() {
    assertEquals(0, run("sdd", "--help"));
    assertTrue(out.toString().contains("evenweave sdd --config sdd.json"));
  }

  @Test
  void aWrongConfigurationNamesItsField() throws IOException {
    Path file = config("{\"hosts\": [\"h0\"], \"loop\": \"none\"}");
    assertEquals(2, run("sdd", "--config", file.toString()));
    assertTrue(
        err.toString().contains("--config: loop: must be \"tight\" or \"loose\", not \"none\""),
        err.toString());
  }

  @Test
  void switchesOfRacksNeedTheControllerThatKnowsTheFabric() throws IOException {
    Path file =
        config(
            "{\"hosts\": [\"a\", \"b\"], \"racks\": {\"hostsPerRack\": 1, \"paths\": 1,"
                + " \"switches\": [\"l0\", \"l1\"], \"cores\": [\"s0\"]}}");
    assertEquals(2, run("sdd", "--config", file.toString()));
    assertTrue(err.toString().contains("--config: racks.switches: are for evenweave controller"));
  }

  @Test
  void withoutKeysItSaysWhichFileIsMissing() throws IOException {
    Path file = config("{\"hosts\": [\"h0\"], \"listen\": \"127.0.0.1:0\"}");
    assertEquals(1, run("sdd", "--config", file.toString()));
    assertTrue(err.toString().contains("controller.pem does not exist"), err.toString());
  }

  @Test
  void withoutRestItEnds() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file = config("{\"hosts\": [\"h0\"], \"listen\": \"127.0.0.1:0\"}");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String http = "127.0.0.1:" + taken.getLocalPort();
      assertEquals(1, run("sdd", "--config", file.toString(), "--http", http));
      assertTrue(err.toString().contains(http + " is already in use"), err.toString());
    }
  }

  @Test
  void keysAreMadeOnce() {
    String folder = temporary.resolve("keys").toString();
    assertEquals(0, run("sdd", "keys", folder, "h0", "cs"));
    assertTrue(Files.exists(temporary.resolve("keys/cs.key")));
    assertEquals(1, run("sdd", "keys", folder, "h0"));
    assertTrue(err.toString().contains("make replaces no keys"), err.toString());
  }

  @Test
  void keysThatCannotBeMadeAreOnePlainError() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    String[][] cases = {
      {file.toString(), "h0", file + " is not a folder"},
      {file + "/keys", "h0", file + "/keys cannot be made: Not a directory"},
      {temporary + "/new", "ca", "\"ca\" occurs twice, or is the name of other keys"},
      {temporary + "/new", "a/b", "\"a/b\" cannot be a name: it needs 1 to 63 letters, digits"},
    };
    for (String[] each : cases) {
      err.getBuffer().setLength(0);
      assertEquals(1, run("sdd", "keys", each[0], each[1]));
      assertTrue(err.toString().startsWith(each[2]), err.toString());
      assertEquals(1, err.toString().lines().count());
    }
    assertEquals(1, run("sdd", "keys", temporary + "/new", "h0", "h0"));
    assertTrue(err.toString().contains("\"h0\" occurs twice"), err.toString());
    assertFalse(Files.exists(temporary.resolve("new")));
  }

  @Test
  void showPrintsTablesOrTheAnswerAsItIs() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file = config("{\"hosts\": [\"h0\", \"h1\"], \"listen\": \"127.0.0.1:0\"}");
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (SddController controller = new SddController(SddConfigReader.read(file));
        HttpApi api = new HttpApi(anyPort, SddResources.of(controller), List.of())) {
      String http = api.address().toString();
      assertEquals(0, run("sdd", "show", "hosts", "--http", http));
      assertEquals(
          "\nhosts\nname  number  connected\nh0    0       false\nh1    1       false\n",
          out.toString());
      out.getBuffer().setLength(0);
      for (String what :
          new String[] {"status", "demand", "schedule", "rates", "misses", "events"}) {
        assertEquals(0, run("sdd", "show", what, "--json", "--http", http), what);
        assertTrue(new ObjectMapper().readTree(out.toString()).isObject());
        out.getBuffer().setLength(0);
      }
      assertEquals(1, run("sdd", "show", "queues", "--host", "h0", "--http", http));
      assertTrue(err.toString().contains("no host \"h0\" is connected"), err.toString());
      err.getBuffer().setLength(0);
      assertEquals(1, run("sdd", "show", "queues", "--http", http));
      assertEquals("no host is connected, so there are no queues", err.toString().strip());
      err.getBuffer().setLength(0);
      assertEquals(1, toFullDevice("sdd", "show", "hosts", "--http", http));
      assertTrue(err.toString().contains("cannot be written to standard output"), err.toString());
      for (String same : new String[] {http + "/", http.replace("http://", "")}) {
        assertEquals(0, run("sdd", "show", "hosts", "--http", same), same + ": " + err);
      }
    }
    assertEquals(1, run("sdd", "show", "hosts", "--http", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("127.0.0.1:1/evenweave cannot be reached"), err.toString());
  }

  @Test
  void aProfileAsksByTlsWithAToken() throws Exception {
    Path keys = temporary.resolve("keys");
    KeyFolder.make(keys, List.of(Participant.controller("controller", List.of("127.0.0.1"))));
    Path access = temporary.resolve("access.json");
    String token = AccessFile.addToken(access, "grafana", Role.READ);
    Path profiles = temporary.resolve("profiles.json");
    Path file = config("{\"hosts\": [\"h0\"], \"listen\": \"127.0.0.1:0\"}");
    AccessControl accessControl = AccessControl.of(true, access, null);
    try (SddController controller = new SddController(SddConfigReader.read(file));
        HttpApi api =
            new HttpApi(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SddResources.of(controller),
                List.of(),
                TlsIdentity.read(keys),
                accessControl)) {
      Files.writeString(
          profiles,
          new ObjectMapper()
              .writeValueAsString(
                  Map.of(
                      "default",
                      "lab",
                      "profiles",
                      Map.of(
                          "lab",
                          Map.of(
                              "server",
                              api.address().toString(),
                              "token",
                              token,
                              "ca",
                              keys.resolve("ca.pem").toString())))));
      Files.setPosixFilePermissions(profiles, PosixFilePermissions.fromString("rw-------"));
      SddRest rest = new SddRest(new Rest(Profile.read(profiles, null, null)));
      assertEquals("h0", rest.get("hosts").at("/hosts/0/name").asText());
      SddRest.NoAnswerException refused =
          assertThrows(SddRest.NoAnswerException.class, () -> rest.delete("sharing"));
      assertTrue(refused.getMessage().contains("has the role read"), refused.getMessage());
    } finally {
      accessControl.close();
    }
  }

  /** It would lead, and whoever started it wait for ever. */
  @Test
  void itEndsIfItCannotSayThatItIsReady() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file = config("{\"hosts\": [\"h0\"], \"listen\": \"127.0.0.1:0\"}");
    String[] sdd = {"sdd", "--config", file.toString(), "--http", "127.0.0.1:0"};
    assertEquals(1, toFullDevice(sdd));
    String[] controller = {"controller", "--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"};
    assertEquals(1, toFullDevice(controller));
    String why = "the ready line cannot be written to standard output";
    assertEquals(why + System.lineSeparator() + why, err.toString().strip());
  }

  private int toFullDevice(String... arguments) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    return Main.commandLine()
        .setOut(new PrintWriter(full, false, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void triggersAreReplacedOrRefusedAsAWholeOrEnded() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file = config("{\"hosts\": [\"h0\", \"h1\"], \"listen\": \"127.0.0.1:0\"}");
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ObjectMapper json = new ObjectMapper();
    String full = "[{\"name\":\"full\",\"queue\":\"to:h1\",\"when\":\"bytes > 1\"}]";
    Path triggers = Files.writeString(temporary.resolve("triggers.json"), full);
    try (SddController controller = new SddController(SddConfigReader.read(file));
        HttpApi api = new HttpApi(anyPort, SddResources.of(controller), List.of())) {
      String http = api.address().toString();
      assertEquals(0, run("sdd", "triggers", triggers.toString(), "--http", http), err.toString());
      assertEquals(json.readTree(full), json.readTree(out.toString()));
      Files.writeString(triggers, full.replace("bytes", "byte"));
      assertEquals(1, run("sdd", "triggers", triggers.toString(), "--http", http));
      assertEquals(
          "triggers[0].when: at byte 0: no variable has this name", err.toString().strip());
      out.getBuffer().setLength(0);
      assertEquals(0, run("sdd", "show", "events", "--http", http));
      assertEquals(
          "\ntriggers\nname  queue  fired  inForce\nfull  to:h1  0      0\n"
              + "\nhosts of full\nhost  state  inForce  fired\nh0    away   false    0\n"
              + "\nevents\n(none)\n",
          out.toString());
      assertEquals(0, run("sdd", "triggers", "--end", "full", "--http", http));
      err.getBuffer().setLength(0);
      assertEquals(1, run("sdd", "triggers", "--end", "other", "--http", http));
      assertEquals("there is no trigger \"other\"", err.toString().strip());
      err.getBuffer().setLength(0);
      assertEquals(1, run("sdd", "triggers", "--end", "a b+c", "--http", http));
      assertEquals("there is no trigger \"a b+c\"", err.toString().strip());
      assertEquals(2, run("sdd", "triggers", "--end", "", "--http", http));
      assertEquals(0, run("sdd", "triggers", "--none", "--http", http));
      out.getBuffer().setLength(0);
      assertEquals(0, run("sdd", "triggers", "--http", http));
      assertEquals("[ ]", out.toString().strip());
      assertEquals(2, run("sdd", "triggers", "--none", "--end", "full", "--http", http));
    }
  }

  @Test
  void whatIsOrderedOfEdgesIsReplacedOrRefusedAsAWhole() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file =
        config(
            "{\"hosts\": [\"h0\"], \"listen\": \"127.0.0.1:0\", \"edge\": {\"hosts\": [\"e1\"],"
                + " \"scheme\": \"alb\"}}");
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ObjectMapper json = new ObjectMapper();
    try (SddController controller = new SddController(SddConfigReader.read(file));
        HttpApi api = new HttpApi(anyPort, SddResources.of(controller), List.of())) {
      String http = api.address().toString();
      Path order = temporary.resolve("order.json");
      assertEquals(0, run("sdd", "edge", "--http", http));
      assertEquals("alb", json.readTree(out.toString()).at("/prefixes/0/scheme").asText());
      Files.writeString(order, out.toString().replace("alb", "presto"));
      out.getBuffer().setLength(0);
      assertEquals(0, run("sdd", "edge", order.toString(), "--http", http), err.toString());
      assertEquals(json.readTree(order.toFile()), json.readTree(out.toString()));
      assertEquals("presto", controller.edges().order().json().at("/prefixes/0/scheme").asText());
      Files.writeString(order, "{\"scheme\": \"hula\"}");
      assertEquals(1, run("sdd", "edge", order.toString(), "--http", http));
      assertTrue(err.toString().startsWith("scheme: "), err.toString());
      assertEquals("presto", controller.edges().order().json().at("/prefixes/0/scheme").asText());
      assertEquals(0, run("sdd", "edge", "--none", "--http", http), err.toString());
      assertEquals(List.of(), controller.edges().order().prefixes());

      String weights = "{\"10.0.2.0/24\":{\"10.1.0.1\":0.75}}";
      Files.writeString(order, weights);
      out.getBuffer().setLength(0);
      assertEquals(0, run("sdd", "edge", "--weights", order.toString(), "--http", http));
      assertEquals(json.readTree(weights), json.readTree(out.toString()));
      assertEquals(0, run("sdd", "edge", "--discover", "--http", http));
      assertEquals(2, run("sdd", "edge", "--discover", "--none", "--http", http));
    }
  }

  @Test
  void sharingIsReplacedOrRefusedAsAWhole() throws Exception {
    KeyFolder.makeClients(temporary.resolve("keys"), List.of("h0"));
    Path file = config("{\"hosts\": [\"h0\", \"h1\"], \"listen\": \"127.0.0.1:0\"}");
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ObjectMapper json = new ObjectMapper();
    String web = "{\"classes\":[{\"name\":\"web\",\"flows\":[{\"protocol\":6}]}]}";
    try (SddController controller = new SddController(SddConfigReader.read(file));
        HttpApi api = new HttpApi(anyPort, SddResources.of(controller), List.of())) {
      String http = api.address().toString();
      assertEquals(0, run("sdd", "sharing", "--http", http));
      assertEquals("{ }", out.toString().strip());
      out.getBuffer().setLength(0);
      assertEquals(0, sharing(web, http), err.toString());
      assertEquals(json.readTree(web), json.readTree(out.toString()));
      String[][] refused = {
        {web + "}", "the body: there is text after the document"},
        {web + web, "the body: there is text after the document"},
        {
          web.replace("\"name\"", "\"name\":\"mail\",\"name\""),
          "the body: the field \"name\" occurs twice"
        },
        {"{\"classes\"", "the body is not JSON"},
        {"", "the body is not JSON"},
        {"{}", "classes: is missing"},
        {
          "{\"capacityBps\":1,\"classes\":[{\"name\":\"a\",\"guaranteedBps\":2,\"flows\":[{}]}]}",
          "classes[0].guaranteedBps: guarantees of 2 bit/s exceed the limit of 1 bit/s"
        }
      };
      for (String[] each : refused) {
        err.getBuffer().setLength(0);
        assertEquals(1, sharing(each[0], http));
        assertEquals(each[1], err.toString().strip());
        assertEquals(json.readTree(web), controller.sharing().config().json());
      }
      assertEquals(0, run("sdd", "sharing", "--none", "--http", http), err.toString());
      assertTrue(controller.sharing().config().classes().isEmpty());
      assertEquals(2, run("sdd", "sharing", "nowhere.json", "--http", http));
      assertTrue(err.toString().contains("FILE: nowhere.json cannot be read"), err.toString());
    }
  }

  private int sharing(String json, String http) throws IOException {
    Path file = Files.writeString(temporary.resolve("sharing.json"), json);
    return run("sdd", "sharing", file.toString(), "--http", http);
  }

  @Test
  void queuesOfAllHostsAreOneTable() throws Exception {
    String hosts =
        "{\"hosts\":[{\"name\":\"h0\",\"connected\":true},{\"name\":\"h1\",\"connected\":false},"
            + "{\"name\":\"h2\",\"connected\":true}]}";
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/evenweave/sdd/",
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          String body =
              query == null
                  ? hosts
                  : "{\"host\":\"x\",\"queues\":[{\"queue\":"
                      + (query.contains("h2") ? 7 : 3)
                      + "}]}";
          exchange.sendResponseHeaders(200, body.length());
          exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    try {
      String http = "127.0.0.1:" + server.getAddress().getPort();
      assertEquals(0, run("sdd", "show", "queues", "--http", http), err.toString());
      assertEquals("\nqueues\nhost  queue\nh0    3\nh2    7\n", out.toString());
      out.getBuffer().setLength(0);
      assertEquals(0, run("sdd", "show", "queues", "--json", "--http", http));
      assertEquals(
          "{\"queues\":[{\"host\":\"h0\",\"queue\":3},{\"host\":\"h2\",\"queue\":7}]}\n",
          out.toString());
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere", "ftp://127.0.0.1:8282", "http://", "http://a b:1", "1:x", ""})
  void anAddressOfRestThatIsNoneIsOnePlainError(String http) {
    for (String[] command : new String[][] {{"sdd", "show", "hosts"}, {"sdd", "--config", "x"}}) {
      err.getBuffer().setLength(0);
      List<String> arguments = new ArrayList<>(List.of(command));
      arguments.addAll(List.of("--http", http));
      assertEquals(2, run(arguments.toArray(new String[0])));
      assertTrue(err.toString().contains("is not an address like 127.0.0.1:"), err.toString());
      assertFalse(err.toString().contains("Exception"), err.toString());
    }
  }
}
