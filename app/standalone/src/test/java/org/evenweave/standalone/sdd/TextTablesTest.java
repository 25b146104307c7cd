package org.evenweave.standalone.sdd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** What people see of an answer of REST. */
class TextTablesTest {
  private static String text(String json) throws Exception {
    return TextTables.of(new ObjectMapper().readTree(json.replace((char) 39, '"')));
  }

  @Test
  void listsOfObjectsInARowAreTablesOfTheirOwn() throws Exception {
    assertEquals(
        String.join(
            "\n",
            "name: e1",
            "",
            "peers",
            "address    scheme",
            "192.0.2.1  alb",
            "192.0.2.2  ecmp",
            "",
            "paths of 192.0.2.1",
            "path  sent.bytes  hops",
            "0     9           10.0.0.1 *",
            "1     8",
            "",
            "decisions of 192.0.2.1",
            "path  reason",
            "1     least-loaded",
            ""),
        text(
            "{'name':'e1','peers':[{'address':'192.0.2.1','scheme':'alb','paths':[{'path':0,"
                + "'sent':{'bytes':9},'hops':['10.0.0.1','*']},{'path':1,'sent':{'bytes':8}}],"
                + "'decisions':[{'path':1,'reason':'least-loaded'}]},"
                + "{'address':'192.0.2.2','scheme':'ecmp'}]}"));
  }

  @Test
  void pairsAreOneCell() throws Exception {
    assertEquals(
        "\ndays\nstartNs  circuits\n7        h0>h1 h1>h0/2\n",
        text(
            "{'days':[{'startNs':7,'circuits':[{'from':'h0','to':'h1'},"
                + "{'from':'h1','to':'h0','path':2}]}]}"));
  }
}
