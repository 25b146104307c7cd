package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.Test;

/** What the commands print of the resources' answers. */
class LinesTest {
  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static String group(String destination, String more) {
    return "{'switch':'s1-0','destination':'"
        + destination
        + "','groupId':1163329537,'state':'installed','entries':256,'oversubscription':1.0078125,"
        + "'spreadsUdp':false,'ports':[{'port':1,'via':'s2-0','wanted':1,'slots':43,'installed':42,"
        + "'idealShare':0.16666,'realisedShare':0.16796}]"
        + more
        + "}";
  }

  @Test
  void rowsOfOneGroupArePrintedAsOneGroup() throws IOException {
    String onos = ",'device':'of:0000000000000001','packets':12";
    JsonNode data = json("{'groups':[" + group("s1-1", onos) + "," + group("s1-2", onos) + "]}");
    assertEquals(
        List.of(
            "source=last confirmed or read; wcmp-verify reads the switches now",
            "device=of:0000000000000001, switch=s1-0, groupCount=1",
            "   id=0x45570001, state=installed, entries=256, oversubscription=1.0078,"
                + " spreadsUdp=false, packets=12, destinations=s1-1 s1-2",
            "      port=1, via=s2-0, wanted=1, slots=43, installed=42, idealShare=16.67%,"
                + " realisedShare=16.80%"),
        new GroupsCommand().lines(data));
  }

  @Test
  void aGroupOfASwitchThatCannotBeReadIsPrintedWithoutPackets() throws IOException {
    List<String> lines = new GroupsCommand().lines(json("{'groups':[" + group("s1-1", "") + "]}"));
    assertEquals("switch=s1-0, groupCount=1", lines.get(1));
    assertEquals(
        "   id=0x45570001, state=installed, entries=256, oversubscription=1.0078, spreadsUdp=false,"
            + " destinations=s1-1",
        lines.get(2));
  }

  @Test
  void groupsGetThePacketsThatWereReadOfThem() throws IOException {
    JsonNode data = json("{'groups':[" + group("s1-1", "") + "," + group("s1-2", "") + "]}");
    JsonNode tables =
        json("{'tables':[{'switch':'s1-0','groups':[{'groupId':1163329537,'packets':12}]}]}");
    GroupsCommand.addCounters(data, tables, SwitchResolverTest.resolver());
    for (JsonNode row : data.get("groups")) {
      assertEquals(12, row.get("packets").asLong());
      assertEquals("of:0000000000000001", row.get("device").asText());
    }
  }

  @Test
  void rulesArePrintedWithWhatTheyDo() throws IOException {
    JsonNode data =
        json(
            "{'tables':[{'switch':'s1-0','groups':[{'groupId':1163329537,'packets':12}],'rules':["
                + "{'priority':10025,'match':'10.0.1.0/24','action':'route-to-group',"
                + "'groupId':1163329537,'packets':12},"
                + "{'priority':10033,'match':'10.0.0.2/32','action':'deliver','port':5,'packets':7}"
                + "]}],'unread':[{'switch':'s2-1','problem':'has no master'}]}");
    assertEquals(
        List.of(
            "switch=s1-0, groupCount=1, ruleCount=2",
            "   priority=10025, match=10.0.1.0/24, action=route-to-group, group=0x45570001,"
                + " packets=12",
            "   priority=10033, match=10.0.0.2/32, action=deliver, port=5, packets=7",
            "switch=s2-1, problem=has no master"),
        new RulesCommand().lines(data));
  }

  @Test
  void tablesAreLimitedOrNot() throws IOException {
    JsonNode data =
        json(
            "{'limit':1.05,'total':2,'switches':[{'switch':'s1-0','table':1024,'target':'ovs','entries':4,"
                + "'oversubscription':1.5,'groups':[{'groupId':1163329537,'destinations':2,'ports':4,"
                + "'entries':4,'oversubscription':1.5}]},"
                + "{'switch':'s1-1','entries':0,'oversubscription':1.0,'groups':[]}]}");
    assertEquals(
        List.of(
            "maxOversubscription=1.05",
            "switch=s1-0, entries=4, table=1024, target=ovs, oversubscription=1.5000, groupCount=1",
            "   id=0x45570001, destinations=2, ports=4, entries=4, oversubscription=1.5000",
            "switch=s1-1, entries=0, table=unlimited, oversubscription=1.0000, groupCount=0"),
        new OversubscriptionCommand().lines(data));
  }

  @Test
  void limitsAreShownWithTheirUse() throws IOException {
    JsonNode data =
        json(
            "{'limit':1,'total':1,'switches':[{'switch':'s1-0','target':'ovs','entries':256,"
                + "'limits':{'groups':16,'rules':900},'use':{'entries':256,'groups':1,'rules':12},"
                + "'sharing':{'oversubscription':1.2,'leastOversubscription':1.15},"
                + "'oversubscription':1.21,'groups':[]}]}");
    assertEquals(
        "switch=s1-0, entries=256, table=unlimited, target=ovs, oversubscription=1.2100,"
            + " groupCount=0, groupsUsed=1/16, rulesUsed=12/900, sharing=1.2000,"
            + " sharingAtLeast=1.1500",
        new OversubscriptionCommand().lines(data).get(1));
  }

  @Test
  void aGroupThatLeavesPortsOutHasThemAndTheirShare() throws IOException {
    JsonNode data =
        json(
            "{'limit':1,'total':1,'switches':[{'switch':'s1-0','target':'ovs','entries':256,"
                + "'oversubscription':1.0087,'groups':[{'groupId':1163329537,'destinations':1,'ports':4,"
                + "'entries':256,'oversubscription':1.0087,'unusedShare':0.0008,'leftOut':[{'port':4,'share':0.0008,'why':'too"
                + " slow'}]}]}]}");
    assertEquals(
        List.of(
            "   id=0x45570001, destinations=1, ports=4, entries=256, oversubscription=1.0087,"
                + " unusedShare=0.08%",
            "      leftOut=4, share=0.08%, why=too slow"),
        new OversubscriptionCommand().lines(data).subList(2, 4));
  }

  @Test
  void aGroupSaysWhichOfItsPortsItLeavesOutAndWhy() throws IOException {
    String leftOut = ",'unusedShare':0.1667,'leftOut':[{'port':1,'share':0.1667,'why':'too slow'}]";
    List<String> lines =
        new GroupsCommand().lines(json("{'groups':[" + group("s1-1", leftOut) + "]}"));
    assertTrue(lines.get(2).contains("unusedShare=16.67%, destinations=s1-1"), lines.get(2));
    assertTrue(lines.get(3).endsWith("realisedShare=16.80%, leftOut=too slow"), lines.get(3));
  }

  @Test
  void pathsTellWhetherTheyAreAll() throws IOException {
    String path = "{'links':['a/1-b/1','b/2-c/1'],'idealShare':0.5,'realisedShare':0.25}";
    JsonNode data = json("{'from':'a','to':'c','paths':[" + path + "],'complete':false}");
    assertEquals(
        List.of(
            "from=a, to=c, pathCount=1 or more",
            "   idealShare=50.00%, realisedShare=25.00%, links=a/1-b/1 b/2-c/1"),
        new PathsCommand().lines(data));
  }

  @Test
  void aPathThatAGroupLeavesOutSaysSo() throws IOException {
    String path = "{'links':['a/1-b/1'],'idealShare':0.001,'realisedShare':0.0,'leftOut':true}";
    JsonNode data = json("{'from':'a','to':'b','paths':[" + path + "],'complete':true}");
    assertEquals(
        "   idealShare=0.10%, realisedShare=0.00%, leftOut=true, links=a/1-b/1",
        new PathsCommand().lines(data).get(1));
  }

  @Test
  void dampedLinksAreListedWithTheTimeUntilTheirRelease() throws IOException {
    JsonNode data =
        json("{'links':[{'link':'s1-0/1-s2-0/1','failures':5,'releaseInSeconds':21.4}]}");
    assertEquals(
        List.of("dampedLinks=1", "   link=s1-0/1-s2-0/1, failures=5, releaseInSeconds=21.4"),
        new DampingCommand().lines(data));
  }

  @Test
  void linksAreListedWithBothDirectionsAndPortsWithTheirSettings() throws IOException {
    JsonNode data =
        json(
            "{'links':[{'link':'a/1-b/1','mtu':1500,'lossy':true,'slow':false,"
                + "'mtuTooSmall':false,'avoided':true,"
                + "'directions':[{'from':'a/1','to':'b/1','sent':58003,'lost':55}]}],"
                + "'ports':[{'port':'a/5','settings':['NO_RECV','NO_FWD']}]}");
    assertEquals(
        List.of(
            "link=a/1-b/1, mtu=1500, lossy=true, slow=false, mtuTooSmall=false, avoided=true",
            "   from=a/1, to=b/1, sent=58003, lost=55",
            "port=a/5, settings=NO_RECV,NO_FWD"),
        new LinksCommand().lines(data));
  }

  @Test
  void demandsAreListedUnderTheirSwitch() throws IOException {
    JsonNode data =
        json(
            "{'enabled':true,'periodSeconds':10,'timeConstantSeconds':60,"
                + "'switches':[{'switch':'a','bps':9000,'ageSeconds':2.1},"
                + "{'switch':'b','bps':0,'ageSeconds':2.1}],"
                + "'demands':[{'from':'a','to':'10.0.1.0/24','bps':9000}]}");
    assertEquals(
        List.of(
            "enabled=true, periodSeconds=10, timeConstantSeconds=60",
            "switch=a, bps=9000, ageSeconds=2.1",
            "   to=10.0.1.0/24, bps=9000",
            "switch=b, bps=0, ageSeconds=2.1"),
        new TrafficCommand().lines(data));
  }

  @Test
  void aStatusNamesEveryReasonOnALineOfItsOwn() throws IOException {
    JsonNode data =
        json(
            "{'version':9,'strategy':'auto','strategyInForce':'wcmp','state':'degraded',"
                + "'reasons':['s1-0 is not connected',"
                + "'link a/1-b/1 is down: a has no port 1'],'moreReasons':2,'converged':false,"
                + "'confirmed':true,'switches':5,'links':9,'hosts':0,'groups':4,'leader':'l',"
                + "'instance':'i'}");
    assertEquals(
        List.of(
            "leader=l, instance=i, state=degraded, confirmed=true, converged=false, strategy=auto,"
                + " strategyInForce=wcmp, switches=5, links=9, hosts=0, groups=4, version=9",
            "   reason=s1-0 is not connected",
            "   reason=link a/1-b/1 is down: a has no port 1",
            "   moreReasons=2"),
        new StatusCommand().lines(data));
  }

  @Test
  void aVerificationBeforeTheFirstPlanSaysWhatItWaitsFor() throws IOException {
    JsonNode data =
        json(
            "{'ok':false,'state':'converging','reasons':['the fabric is being discovered'],"
                + "'violations':[],'differences':[],'unread':[]}");
    assertEquals(
        "nothing can be verified yet: the fabric is being discovered",
        assertThrows(CommandException.class, () -> new VerifyCommand().conclude(data))
            .getMessage());
  }

  @Test
  void aVerificationListsAllThatIsWrongAndFails() throws IOException {
    JsonNode data =
        json(
            "{'ok':false,'state':'converging','confirmed':false,'converged':false,'switches':2,'reasons':['a:"
                + " tables are not as installed, and are being repaired'],"
                + "'violations':[{'kind':'loop','switch':'a','destination':'10.0.0.0/24','detail':'d'}],"
                + "'differences':[{'switch':'a','wanted':'g'},{'switch':'a','found':'h'}],"
                + "'unread':[{'switch':'b','problem':'p'}]}");
    assertEquals(
        List.of(
            "ok=false, state=converging, confirmed=false, converged=false, switches=2,"
                + " violations=1, differences=2, unread=1",
            "   reason=a: tables are not as installed, and are being repaired",
            "   violation=loop, switch=a, destination=10.0.0.0/24, detail=d",
            "   difference=a, wanted=g, found=none",
            "   difference=a, wanted=none, found=h",
            "   unread=b, problem=p"),
        new VerifyCommand().lines(data));
    assertThrows(CommandException.class, () -> new VerifyCommand().conclude(data));
  }

  @Test
  void exclusionsAreListed() throws IOException {
    JsonNode data = json("{'switches':['s2-1','s2-2'],'links':[]}");
    List<String> lines = List.of("excludedSwitches=s2-1 s2-2, excludedLinks=none");
    assertEquals(lines, new ExcludeCommand().lines(data));
    assertEquals(lines, new IncludeCommand().lines(data));
    assertEquals(
        List.of("strategy=auto, inForce=wcmp, why=w"),
        new StrategyCommand().lines(json("{'strategy':'auto','inForce':'wcmp','why':'w'}")));
  }

  @Test
  void aPurgeThatMissedASwitchFails() throws Exception {
    JsonNode data =
        json(
            "{'switches':6,'groups':5,'rules':48,"
                + "'failed':[{'switch':'s2-1','problem':'is not connected'},"
                + "{'server':'tcp:127.0.0.1:6640','problem':'Connection refused'}]}");
    PurgeCommand command = new PurgeCommand();
    assertEquals(
        List.of(
            "switches=6, groupsRemoved=5, rulesRemoved=48, failed=2",
            "   switch=s2-1, problem=is not connected",
            "   server=tcp:127.0.0.1:6640, problem=Connection refused",
            "the application is being deactivated; \"app activate\" installs all again"),
        command.lines(data));
    assertThrows(CommandException.class, () -> command.conclude(data));
  }

  @Test
  void aVerificationWithoutFaultSucceeds() throws Exception {
    new VerifyCommand().conclude(json("{'ok':true}"));
  }

  @Test
  void anAuditNamesWhatItRepairs() throws IOException {
    assertEquals(
        List.of(
            "switches=6, drifted=1",
            "   repairing=s2-0, detail=missing: rule 10.0.0.0/24",
            "   foreignRule=s1-1, effect=lost, owner=application x, cookie 0x7, table=0,"
                + " priority=9, match=ip, actions=drop",
            "   foreignGroup=s1-1, groupId=9000, group=all output:1"),
        new AuditCommand()
            .lines(
                json(
                    "{'switches':6,'drifted':['s2-0'],'differences':[{'switch':'s2-0',"
                        + "'detail':'missing: rule 10.0.0.0/24'}],"
                        + "'foreign':{'rules':[{'switch':'s1-1',"
                        + "'effect':'lost','owner':'application x, cookie 0x7','table':0,"
                        + "'priority':9,'match':'ip','actions':'drop'}],'groups':[{"
                        + "'switch':'s1-1','groupId':9000,'group':'all output:1'}]}}")));
  }

  @Test
  void anEventTellsHowLongItsAnswerTookOnceItIsConfirmed() throws IOException {
    String event = "'kind':'link-down','subject':'a/1-b/1','detectedEpochMicros':1000001";
    JsonNode data =
        json(
            "{'events':[{'sequence':1,"
                + event
                + ",'confirmedEpochMicros':1012501,'groupsChanged':4,'flowsChanged':1},"
                + "{'sequence':2,"
                + event
                + "}]}");
    assertEquals(
        List.of(
            "sequence=1, time=1970-01-01T00:00:01.000001Z, kind=link-down, subject=a/1-b/1,"
                + " confirmedAfter=12.5ms, groupsChanged=4, flowsChanged=1",
            "sequence=2, time=1970-01-01T00:00:01.000001Z, kind=link-down, subject=a/1-b/1"),
        new EventsCommand().lines(data));
  }

  @Test
  void pendingChangesAreListedWithTheirAge() throws IOException {
    JsonNode data =
        json(
            "{'confirmed':3,'failed':1,'pending':[{'device':'of:1',"
                + "'ageMicros':1500,'operations':['ADD_GROUP g']}]}");
    assertEquals(
        List.of(
            "pending=1, confirmed=3, failed=1",
            "   device=of:1, age=1ms, operations=1",
            "      ADD_GROUP g"),
        new PendingCommand().lines(data));
  }
}
