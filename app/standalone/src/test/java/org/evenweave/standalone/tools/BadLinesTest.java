package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that are wrong: one error each, which names the field, and the next line is answered. */
class BadLinesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "reduce|{'weights':[2,3,0],'maxOversubscription':2}|weights[2]: must be a positive whole"
            + " number below 2^63, not 0",
        "reduce|{'weights':[1.5],'maxOversubscription':2}|weights[0]: must be a positive whole"
            + " number below 2^63, not 1.5",
        "reduce|{'weights':[9223372036854775808],'maxOversubscription':2}|weights[0]: must be a"
            + " positive whole number below 2^63, not 9223372036854775808",
        "reduce|{'weights':[1e20],'maxOversubscription':2}|weights[0]: must be a positive"
            + " whole number below 2^63, not 100000000000000000000",
        "stripe|{'kind':1e999999999}|kind: a number has more than 400 digits or an exponent beyond"
            + " that; round it",
        "fit|{'groups':[[1],[2,1e999]],'entries':9}|groups[1][1]: a number has more than 400"
            + " digits or an exponent beyond that; round it",
        "fit|1e999|input: a number has more than 400 digits or an exponent beyond that; round it",
        "reduce|{'weights':[],'maxOversubscription':2}|weights: must be an array of at least one"
            + " weight, not []",
        "reduce|{'weights':[2],'maxOversubscription':0.99999999999999999999}|maxOversubscription:"
            + " must be a number of at least 1, not 0.99999999999999999999",
        "reduce|{'weights':[9223372036854775807,1],'maxOversubscription':1.5}|maxOversubscription:"
            + " no group of fewer than 2^31 entries has an oversubscription of at most 3/2;"
            + " raise it",
        "reduce|{'weights':[1],'maxOversubscription':1e99999999999}|maxOversubscription: a number has"
            + " more than 400 digits or an exponent beyond that; round it",
        "reduce|{'weight':[1],'maxOversubscription':1}|weight: unknown field; the fields here are"
            + " leaveOut, limits, maxOversubscription, minNextHops, target, weights",
        "reduce|{'weights':[1],'maxOversubscription':1,'target':'ovs'}|target: must be 'replicated' or"
            + " 'native', not 'ovs'",
        "reduce|{'weights':[1,2],'maxOversubscription':1,'limits':{'maxWeight':3}}|limits.maxWeight:"
            + " is for the target native only",
        "reduce|{'weights':[1,2,3],'maxOversubscription':2,'target':'native','limits':"
            + "{'maxTotalWeight':2}}|limits.maxTotalWeight: 2 is too small: 3 ports need a weight of 1"
            + " each; the least sufficient value is 3",
        "fit|{'groups':[[1],[1,2,3]],'entries':9,'limits':{'groupEntries':2}}|limits.groupEntries: 2 is"
            + " too small: groups[1]: 3 ports need an entry each; the least sufficient value is 3",
        "fit|{'groups':[[1,2]],'entries':9,'objective':'l1','target':'native'}|target: is for the"
            + " objective oversubscription only",
        "fit|{'groups':[[1,2]],'entries':9,'objective':'l1','limits':{'groupEntries':3}}|limits: is for"
            + " the objective oversubscription only",
        "fit|{'groups':[[1,2]],'entries':1,'target':'native'}|entries: 1 are too few; the least"
            + " sufficient value is 2",
        "reduce|{'weights':[1]}|maxOversubscription: is missing",
        "schedule|{'config':{'hosts':['a','a']},'reports':[]}|config.hosts[1]: 'a' occurs twice",
        "schedule|{'config':{'hosts':['a','b'],'nightNs':9000000},'reports':[]}|config.nightNs: must"
            + " be at most 2500000 with this periodNs, not 9000000",
        "schedule|{'config':{'hosts':['a','b']},'reports':[{'from':'a','to':'c','queuedBytes':1}]}|"
            + "reports[0].to: no host 'c' in config.hosts; name one of them",
        "schedule|{'config':{'hosts':['a','b']},'reports':[{'from':'a','to':'a','queuedBytes':1}]}|"
            + "reports[0].to: must be another host than from",
        "schedule|{'config':{'hosts':['a','b']},'reports':[{'from':'a','to':'b','queuedBytes':1},"
            + "{'from':'a','to':'b','queuedBytes':1}]}|reports[1]: is the second report of this pair",
        "schedule|{'config':{'hosts':['a','b']},'reports':[{'from':'a','to':'b','queuedBytes':-1}]}|"
            + "reports[0].queuedBytes: must be a whole number from 0 to 1099511627776, not -1",
        "reduce|[1]|input: must be an object, not [1]",
        "reduce|{} {}|more than one value; write one JSON object per line",
        "reduce||empty; write one JSON object per line",
        "reduce|{'weights':1,'weights':2}|not JSON: Duplicate field 'weights' (column 23)",
        "fit|{'groups':[[1],[2,-1]],'entries':9}|groups[1][1]: must be a positive whole number"
            + " below 2^63, not -1",
        "fit|{'groups':[[1]],'entries':16777217}|entries: must be a whole number from 1 to"
            + " 16777216, not 16777217",
        "fit|{'groups':[[1]],'entries':9,'demands':[0]}|demands[0]: must be a positive number, not"
            + " 0",
        "fit|{'groups':[[1]],'entries':9,'demands':[1,2]}|demands: must have one number per"
            + " group, 1, not 2",
        "fit|{'groups':[[1],[1,2]],'entries':2}|entries: 2 are too few; the least sufficient value is"
            + " 3",
        "fit|{'groups':[[1]],'entries':2,'objective':'l2'}|objective: must be 'oversubscription',"
            + " 'l1' or 'utilisation', not 'l2'",
        "fit|{'groups':[[1]],'entries':2,'ports':[[1]]}|ports: is for the objective utilisation"
            + " only",
        "fit|{'groups':[[1]],'entries':2,'objective':'utilisation','ports':[]}|ports: must have one"
            + " array per group, 1, not 0",
        "fit|{'groups':[[1,1]],'entries':2,'objective':'utilisation','ports':[[3]]}|ports[0]: must"
            + " have one port per weight, 2, not 1",
        "fit|{'groups':[[1,1]],'entries':2,'objective':'utilisation','ports':[[3,3]]}|ports[0][1]:"
            + " is a second port 3",
        "fit|{'groups':[[1,1]],'entries':2,'objective':'utilisation','capacities':[3]}|capacities:"
            + " must have one number per port, 2, not 1",
        "fit|{'groups':[[1]],'entries':2,'objective':'utilisation','demands':[1e399],"
            + "'capacities':[1]}|demands: are too large for the capacities",
        "stripe|{'kind':'grup','s1':2,'s2':2,'uplinks':2,'downlinks':2}|kind: must be 'rotation',"
            + " 'group' or 'compare', not 'grup'",
        "stripe|{'kind':'compare','s1':2,'s2':2,'uplinks':2,'downlinks':2,'picture':true}|picture:"
            + " leave it out where kind is compare",
        "stripe|{'kind':'group','s1':2,'s2':2,'uplinks':50000,'downlinks':50000,'picture':true}|"
            + "picture: s1 x uplinks: must be at most 65536 for a picture, was 100000; leave it"
            + " out",
        "stripe|{'kind':'group','s1':2,'s2':2,'uplinks':2,'downlinks':3}|downlinks: s1 x uplinks must"
            + " equal s2 x downlinks, but 2 x 2 = 4 and 2 x 3 = 6; use downlinks 2",
        "stripe|{'kind':'group','s1':2,'s2':2,'uplinks':2,'downlinks':2,'addS1':1,'addS2':1}|addS2:"
            + " leave it out where addS1 is given",
        "weights|{'fabric':{'switches':[],'links':[]},'from':'a'}|to: is missing",
        "weights|{'fabric':{'switches':[],'links':[]},'from':'a','to':'b'}|from: no switch 'a' in"
            + " fabric.switches; name one of them",
        "weights|{'fabric':{'switches':[],'links':[]},'rule':'traffic'}|traffic: is missing; the"
            + " rule 'traffic' weighs by it",
        "weights|{'fabric':{'switches':[],'links':[]},'rule':'ecmp','strategy':'wcmp'}|strategy:"
            + " leave it out where rule is given",
        "weights|{'fabric':{'switches':[],'links':[]},'longerPaths':true}|longerPaths: goes with"
            + " 'rule':'pair'; the rule 'traffic' takes maxStretch",
        "weights|{'fabric':{'switches':[],'links':[]},'hedge':0.5}|traffic: is missing",
        "weights|{'fabric':{'switches':[],'links':[]},'from':'a','to':'b',"
            + "'traffic':[{'from':'a','to':'b','bps':1}]}|from: leave it out where traffic is"
            + " given; the answer has all destinations",
        "weights|{'fabric':{'switches':[],'links':[]},'traffic':[{'from':'a','to':'b','bps':-1}]}|"
            + "traffic[0].bps: must be a whole number of bits per second, 0 to 2^63 - 1, not -1",
        "weights|{'fabric':{'switches':[],'links':[]},'traffic':[{'from':'a','to':'b','bps':1}]}|"
            + "traffic[0].from: no switch 'a' in fabric.switches; name one of them",
        "weights|{'fabric':{'switches':[{'id':'a','stage':1}],'links':[]},'traffic':[{'from':'a',"
            + "'to':'a','bps':1}]}|traffic[0].to: must be another switch than from",
        "weights|{'fabric':{'switches':[{'id':'a','stage':1},{'id':'b','stage':1}],'links':[]},"
            + "'traffic':[{'from':'a','to':'b','bps':1}],'actual':[{'from':'b','to':'a','bps':1},"
            + "{'from':'b','to':'a','bps':2}]}|actual[1]: actual[0] is of the same switches; add"
            + " them up",
        "weights|{'fabric':{'switches':[{'id':'a','stage':1,'color':1}],'links':[]}}|"
            + "fabric.switches[0].color: unknown field; the fields here are aggregate, certificate, dpid, id,"
            + " leaveOut, limits, minNextHops, stage, table, target",
        "weights|{'fabric':{'switches':[],'links':[{'a':'x/1','b':'y/1','bps':1}]}}|"
            + "fabric.links[0].a: no switch 'x' in switches",
        "plan|{'switches':[],'links':[{'a':'x','b':'y/1','bps':1}]}|links[0].a: must be switch/port"
            + " with a port from 1, as in 's1-0/1', not 'x'",
        "plan|{'switches':[],'links':[],'colour':1}|colour: unknown field; the fields here are"
            + " leaveOut, links, maxOversubscription, minNextHops, strategy, subnets, switches",
        "plan|{'fabric':{'switches':[],'links':[]},'maxOversubscription':0.9}|maxOversubscription:"
            + " must be a number of at least 1, not 0.9",
        "plan|{'switches':[],'links':[],'maxOversubscription':'1'}|maxOversubscription: must be a"
            + " number of at least 1, not '1'",
        "reduce|{'weights':[1],'maxOversubscription':NaN}|not JSON: NaN is not a JSON number; write a"
            + " decimal number (column 41)",
        "fit|{'groups':[[-Infinity]],'entries':9}|not JSON: -Infinity is not a JSON number; write a"
            + " decimal number (column 22)",
        "fit|{'groups':[[01]],'entries':9}|not JSON: Invalid numeric value: Leading zeroes not"
            + " allowed (column 14)",
      })
  void theErrorNamesTheField(String tool, String line, String expected) {
    String said = Tools.error(tool, line == null ? "" : line.replace('\'', '"'));
    assertEquals(expected, said.replace('"', '\''));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "/state/switches/0|id|'s9'|state.switches[0].id: no switch 's9' in fabric.switches;"
            + " name one of them",
        "/state/switches/1|id|'s1-0'|state.switches[1].id: 's1-0' occurs twice",
        "/state/switches/0/groups/0|id|2|state.switches[0].flows[0].action: the switch has no"
            + " group 1",
        "/state/switches/0/groups/0|ports|[1,2]|state.switches[0].groups[0].weights: must have"
            + " one weight per port, 2, not 3",
        "/state/switches/0/groups/0|ports|[1,1,1]|none",
        "/state/switches/0/groups/0|weights|[2147483647,1,1]|none",
        "/state/switches/2/groups/0|weights|[2147483647,1,1,1]|state.switches[2].groups[0].weights:"
            + " one port's sum to 2^31 or more",
        "/state/switches/3/flows/0|action|'controller'|state.switches[3].flows[0].action: the"
            + " controller takes packets to the switch's own subnets only, not to 10.0.0.0/24",
        "/state/switches/3/flows/0|match|'10.0.1.0/24'|state.switches[3].flows[1].match:"
            + " '10.0.1.0/24' occurs twice",
        "/state/switches/3/flows/0|match|'10.0.0.1/24'|state.switches[3].flows[0].match:"
            + " 10.0.0.1/24 has host bits set; the prefix would be 10.0.0.0/24",
        "/state/switches/3/flows/0|action|'output:1\\n'|state.switches[3].flows[0].action: must be"
            + " 'group:ID' or 'output:PORT', with 'dec_ttl,' before it or not, or 'controller', not"
            + " 'output:1\\n'",
        "/state/switches/3/flows/0|action|'output:0'|state.switches[3].flows[0].action: must be"
            + " 'group:ID' or 'output:PORT', with 'dec_ttl,' before it or not, or 'controller', not"
            + " 'output:0'",
      })
  void aStateThatSpeaksOfWhatIsNotThereIsRefused(
      String pointer, String field, String value, String expected) {
    ObjectNode input = (ObjectNode) Tools.json(Tools.examples("verify").get(0));
    ((ObjectNode) input.at(pointer)).set(field, Tools.json(value.replace('\'', '"')));
    JsonNode answer = Tools.json(Tools.answer("verify", input.toString()));
    assertEquals(expected, answer.path("error").asText("none").replace('"', '\''));
  }

  @Test
  void linesAfterABadOneAreAnswered() {
    String good = "{\"weights\":[1,1],\"maxOversubscription\":1}";
    String answers =
        new String(
            Tools.run("reduce", Tools.bytes(good + "\nnonsense\r\n\n" + good)),
            StandardCharsets.UTF_8);
    String[] lines = answers.split("\n", 0);
    assertEquals(4, lines.length);
    assertEquals("{\"weights\":[1,1],\"entries\":2,\"oversubscription\":1.0}", lines[0]);
    assertEquals(2, Tools.json(lines[1]).get("line").asInt());
    assertEquals(3, Tools.json(lines[2]).get("line").asInt());
    assertEquals(lines[0], lines[3]);
  }

  @Test
  void bytesThatAreNotUtf8AreAnError() {
    byte[] line = Tools.bytes("{\"weights\":[1],\"?\":1}");
    line[16] = (byte) 0xff;
    String answer = new String(Tools.run("reduce", line), StandardCharsets.UTF_8);
    assertTrue(answer.startsWith("{\"error\":\"not JSON: Invalid UTF-8"), answer);
  }

  @Property(tries = 3000)
  void anyDamageGivesOneAnswerPerLine(
      @ForAll("tools") String tool, @ForAll("damages") Damage damage, @ForAll Random random) {
    List<String> examples = Tools.examples(tool);
    byte[] input = damage.applyTo(examples.get(random.nextInt(examples.size())), random);
    long lines = 0;
    for (int i = 0; i < input.length; i++) {
      lines += input[i] == '\n' || i == input.length - 1 ? 1 : 0;
    }
    String out = new String(Tools.run(tool, input), StandardCharsets.UTF_8);
    assertEquals(lines, out.chars().filter(c -> c == '\n').count(), out);
    for (String answer : out.split("\n", 0)) {
      JsonNode node = Tools.json(answer);
      assertTrue(node.isObject() && !node.isEmpty(), answer);
      if (node.has("error")) {
        assertEquals(2, node.size(), answer);
        assertTrue(node.get("line").asInt() >= 1 && node.get("line").asInt() <= lines, answer);
        assertFalse(node.get("error").asText().isBlank(), answer);
        assertFalse(node.get("error").asText().startsWith("internal error"), answer);
        assertTrue(saysWhere(tool, node.get("error").asText()), answer);
      }
    }
  }

  /** Whether an error begins with a field that there is, or should not be; or has no field. */
  private static boolean saysWhere(String tool, String error) {
    String field = error.split("[.\\[:]", 2)[0];
    return error.startsWith("not JSON: ")
        || error.startsWith("empty; ")
        || error.startsWith("more than one value; ")
        || error.contains(": unknown field; ")
        || field.equals("input")
        || Tools.fields(tool).contains(field);
  }

  @Provide
  Arbitrary<String> tools() {
    return Arbitraries.of("weights", "reduce", "fit", "stripe", "plan", "verify");
  }

  @Provide
  Arbitrary<Damage> damages() {
    return Arbitraries.of(Damage.class);
  }

  /** Ways to damage a good line. */
  enum Damage {
    /** Some bytes become others. */
    BYTES {
      @Override
      byte[] applyTo(String line, Random random) {
        byte[] bytes = Tools.bytes(line);
        for (int i = 0; i <= random.nextInt(4); i++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
      }
    },
    /** Tokens of JSON are put in or written over, or a part is cut out. */
    TOKENS {
      @Override
      byte[] applyTo(String line, Random random) {
        StringBuilder text = new StringBuilder(line);
        int from = random.nextInt(line.length());
        int to = Math.min(line.length(), from + random.nextInt(6));
        text.replace(from, to, TOKEN_TEXTS[random.nextInt(TOKEN_TEXTS.length)]);
        return Tools.bytes(text.toString());
      }
    },
    /** Values, of any depth, become other values or are removed. */
    VALUES {
      @Override
      byte[] applyTo(String line, Random random) {
        JsonNode root = Tools.json(line);
        for (int i = 0; i <= random.nextInt(2); i++) {
          List<JsonNode> containers = new ArrayList<>();
          collect(root, containers);
          change(containers.get(random.nextInt(containers.size())), random);
        }
        return Tools.bytes(root.toString());
      }
    };

    private static final String[] TOKEN_TEXTS = {
      "",
      ",",
      ":",
      "{",
      "}",
      "[",
      "]",
      "\"",
      "\\",
      "\n",
      "\u0000",
      "é",
      "-",
      ".",
      "e9",
      "0",
      "7",
      "null",
      "NaN",
      "\\u0000",
      "\ufeff",
      "/*",
      " ",
      "{\"a\":1}",
      "[".repeat(2000)
    };

    private static final JsonNode[] VALUES_TO_TRY = {
      number("0"),
      number("-1"),
      number("1"),
      number("3"),
      number("1.5"),
      number("1e400"),
      number("1e-400"),
      number("1e999999999"),
      number("1e-999999999"),
      number("16777216"),
      number("2147483647"),
      number("2147483648"),
      number("9223372036854775807"),
      number("9223372036854775808"),
      JsonNodeFactory.instance.nullNode(),
      JsonNodeFactory.instance.booleanNode(true),
      JsonNodeFactory.instance.textNode(""),
      JsonNodeFactory.instance.textNode("s1-0"),
      JsonNodeFactory.instance.textNode("s1-0/1"),
      JsonNodeFactory.instance.textNode("0.0.0.0/0"),
      JsonNodeFactory.instance.textNode("999.0.0.0/99"),
      JsonNodeFactory.instance.textNode("group:999999999"),
      JsonNodeFactory.instance.textNode("\n"),
      JsonNodeFactory.instance.arrayNode(),
      JsonNodeFactory.instance.objectNode()
    };

    abstract byte[] applyTo(String line, Random random);

    private static JsonNode number(String decimal) {
      BigDecimal value = new BigDecimal(decimal);
      return decimal.matches("-?\\d+")
          ? JsonNodeFactory.instance.numberNode(new BigInteger(decimal))
          : JsonNodeFactory.instance.numberNode(value);
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
      if (node.isContainerNode() && !node.isEmpty()) {
        containers.add(node);
        node.forEach(child -> collect(child, containers));
      }
    }

    private static void change(JsonNode container, Random random) {
      JsonNode value = VALUES_TO_TRY[random.nextInt(VALUES_TO_TRY.length)].deepCopy();
      int at = random.nextInt(container.size());
      boolean remove = random.nextInt(4) == 0;
      if (container.isArray()) {
        ArrayNode array = (ArrayNode) container;
        JsonNode ignored = remove ? array.remove(at) : array.set(at, value);
        return;
      }
      List<String> names = new ArrayList<>();
      container.fieldNames().forEachRemaining(names::add);
      ObjectNode object = (ObjectNode) container;
      if (remove) {
        object.remove(names.get(at));
      } else {
        object.set(names.get(at), value);
      }
    }
  }
}
