package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.wire.EdgeOrderDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders to edges, as files and REST give them and as messages have them. */
class EdgeOrderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static EdgeOrder order(String text) throws Exception {
    return EdgeOrder.of(JSON.readTree(text.replace((char) 39, '"')));
  }

  @Test
  void anOrderIsReadAsItIsShown() throws Exception {
    String rows =
        "{'prefix':'10.77.2.0/24','scheme':'alb','gapUs':500,'gapAdaptPercent':0,'rttUs':80,'metricAgeUs':90},"
            + "{'prefix':'2001:db8::/64','scheme':'intflow',"
            + "'intflow':{'delayUs':9,'windowUs':8,'timeoutUs':7,'settleUs':0,'sizeBytes':6}},"
            + "{'prefix':'0.0.0.0/0','scheme':'clove-ecn','relayUs':40}";
    String text = "{'reportMs':500,'prefixes':[" + rows + "]}";
    EdgeOrder order = order(text);
    assertEquals(text.replace((char) 39, '"'), order.json().toString());
    // The default is the prefix 0.0.0.0/0 in another form.
    String byDefault = "{'reportMs':500,'scheme':'clove-ecn','relayUs':40,'prefixes':[";
    String others = rows.substring(0, rows.lastIndexOf(",{"));
    assertEquals(order.json(), order(byDefault + others + "]}").json());
  }

  @Test
  void whatIsNotOrderedIsNullInTheMessageAndTheGapZero() throws Exception {
    byte[] bytes = EdgeMessages.order(1, order("{'scheme':'ecmp'}")).bytes();
    EdgeOrderDecoder.PrefixesDecoder row = decoded(bytes);
    assertEquals(0, row.gapNs());
    assertEquals(
        EdgeOrderDecoder.PrefixesDecoder.gapAdaptPercentNullValue(), row.gapAdaptPercent());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.rttNsNullValue(), row.rttNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.relayNsNullValue(), row.relayNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.delayNsNullValue(), row.delayNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.windowNsNullValue(), row.windowNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.timeoutNsNullValue(), row.timeoutNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.sizeBytesNullValue(), row.sizeBytes());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.metricAgeNsNullValue(), row.metricAgeNs());
    assertEquals(EdgeOrderDecoder.PrefixesDecoder.settleNsNullValue(), row.settleNs());
  }

  @Test
  void whatIsOrderedIsInTheMessageInItsUnits() throws Exception {
    String text =
        "{'scheme':'intflow','gapUs':1,'gapAdaptPercent':2,'rttUs':3,'relayUs':4,'metricAgeUs':9,"
            + "'intflow':{'delayUs':5,'windowUs':4000000,'timeoutUs':7,'settleUs':0,'sizeBytes':8}}";
    EdgeOrderDecoder.PrefixesDecoder row = decoded(EdgeMessages.order(1, order(text)).bytes());
    assertEquals(1_000, row.gapNs());
    assertEquals(2, row.gapAdaptPercent());
    assertEquals(3_000, row.rttNs());
    assertEquals(4_000, row.relayNs());
    assertEquals(5_000, row.delayNs());
    assertEquals(4_000_000_000L, row.windowNs());
    assertEquals(7_000, row.timeoutNs());
    assertEquals(8, row.sizeBytes());
    assertEquals(9_000, row.metricAgeNs());
    assertEquals(0, row.settleNs());
  }

  private static EdgeOrderDecoder.PrefixesDecoder decoded(byte[] bytes) throws Exception {
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    MessageReader reader = new MessageReader();
    assertEquals(EdgeOrderDecoder.TEMPLATE_ID, reader.open(buffer, 0, bytes.length));
    return new EdgeOrderDecoder()
        .wrap(buffer, reader.bodyOffset(), reader.blockLength(), reader.version())
        .prefixes()
        .next();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'gapUs':5}; gapUs: is a scheme's, and there is no scheme beside it",
        "{'intflow':{'sizeBytes':5}}; intflow.sizeBytes: is a scheme's, and there is no scheme"
            + " beside it",
        "{'prefixes':[{'prefix':'10.0.0.0/8','scheme':'alb'},{'prefix':'10.0.0.0/8','scheme':"
            + "'alb'}]}; prefixes[1].prefix: is listed already",
        "{'prefixes':[{'prefix':'::/0','scheme':'alb'},{'prefix':'0:0::/0','scheme':'alb'}]};"
            + " prefixes[1].prefix: is listed already",
        "{'prefixes':[{'prefix':'0.0.0.0/0','scheme':'alb'}],'scheme':'ecmp'}; scheme: is that of"
            + " the prefix 0.0.0.0/0 already",
        "{'prefixes':[{'prefix':'1:2:3/64','scheme':'alb'}]}; prefixes[0].prefix: must be an IP"
            + " address, not 1:2:3",
        "{'prefixes':[{'prefix':'2001:db8::1/64','scheme':'alb'}]}; prefixes[0].prefix: must be a"
            + " prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64"
      },
      quoteCharacter = '"')
  void whatCannotBeNamesItsField(String text, String problem) {
    assertEquals(
        problem, assertThrows(IllegalArgumentException.class, () -> order(text)).getMessage());
  }
}
