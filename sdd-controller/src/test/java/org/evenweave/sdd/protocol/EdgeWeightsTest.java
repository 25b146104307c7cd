package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights of next hops, as REST and the engine give them. */
class EdgeWeightsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void weightsAreReadAsTheyAreShown() throws Exception {
    String text =
        "{\"10.0.1.0/24\":{\"100.64.0.1\":0.25,\"192.0.2.255\":1.0},\"0.0.0.0/0\":{},"
            + "\"2001:db8:0:1::/64\":{\"2001:db8::1\":0.5,\"100.64.0.1\":0.5}}";
    List<EdgeWeights> read = EdgeWeights.of(JSON.readTree(text));
    assertEquals(3, read.size());
    EdgeWeights prefix = read.get(0);
    assertEquals(IpPrefix.of("10.0.1.0/24"), prefix.prefix());
    assertEquals(
        Map.of(IpAddress.ofIpv4(0x64400001), 250_000, IpAddress.of("192.0.2.255"), 1_000_000),
        prefix.shares());
    assertEquals(read, EdgeWeights.of(EdgeWeights.json(read)));
    assertEquals(
        "{\"2001:db8:0:1::/64\":{\"100.64.0.1\":0.5,\"2001:db8::1\":0.5}}",
        EdgeWeights.json(read.subList(2, 3)).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1]; must be an object",
        "{'10.0.1.1/24':{}}; 10.0.1.1/24: must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64",
        "{'10.0.1.0':{}}; 10.0.1.0: must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64",
        "{'10.0.1.0/33':{}}; 10.0.1.0/33: must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64",
        "{'2001:db8::1/64':{}}; 2001:db8::1/64: must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64",
        "{'::/129':{}}; ::/129: must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64",
        "{'10.0.1/24':{}}; 10.0.1/24: must be an IP address, not 10.0.1",
        "{'fe80::%e0/64':{}}; fe80::%e0/64: must be an IP address, not fe80::%e0",
        "{'::/0':{}, '0::/0':{}}; 0::/0: is listed already",
        "{'10.0.1.0/24':5}; 10.0.1.0/24: must be an object",
        "{'10.0.1.0/24':null}; 10.0.1.0/24: must be an object",
        "{'10.0.1.0/24':['1.2.3.4']}; 10.0.1.0/24: must be an object",
        "{'::/0':{'::2':1, '0::2':1}}; ::/0: 0::2: is listed already",
        "{'10.0.1.0/24':{'h1':1}}; 10.0.1.0/24: must be an IP address, not h1",
        "{'10.0.1.0/24':{'1.2.3.4':0}}; 10.0.1.0/24: 1.2.3.4: must be above 0, up to 1",
        "{'10.0.1.0/24':{'1.2.3.4':'x'}}; 10.0.1.0/24: 1.2.3.4: must be above 0, up to 1"
      },
      quoteCharacter = '"')
  void whatCannotBeIsRefused(String text, String problem) {
    assertEquals(
        problem,
        assertThrows(
                IllegalArgumentException.class,
                () -> EdgeWeights.of(JSON.readTree(text.replace((char) 39, '"'))))
            .getMessage());
  }

  @Test
  void whatEdgesWouldNotTakeIsLeftOut() {
    Map<Integer, Integer> many =
        IntStream.rangeClosed(1, 257).boxed().collect(Collectors.toMap(i -> i, i -> i));
    SortedMap<String, Map<Integer, Integer>> shares = new TreeMap<>();
    shares.put("10.0.0.0/24", many);
    IntStream.rangeClosed(1, 300)
        .forEach(i -> shares.put("10." + i / 256 + "." + i % 256 + ".1/32", Map.of(1, 1)));
    List<EdgeWeights> taken = EdgeWeights.of(shares);
    assertEquals(256, taken.size());
    assertEquals(32, taken.get(0).prefix().bits());
  }
}
