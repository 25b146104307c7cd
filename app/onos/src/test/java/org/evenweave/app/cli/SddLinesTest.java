package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the SDD controller's commands print of its resources' answers. */
class SddLinesTest {
  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  @Test
  void hostsAreListedWithTheirClocksAndDemand() throws IOException {
    JsonNode data =
        json(
            "{'hosts':[{'name':'h0','number':0,'connected':true,'linkBps':1000,'fallback':'none',"
                + "'clock':{'good':true,'errorBoundNs':900}},"
                + "{'name':'h1','number':1,'connected':true,'linkBps':1000,'fallback':'silence'},"
                + "{'name':'h2','number':2,'connected':false}]}");
    SddHostsCommand.addDemand(
        data,
        json(
            "{'demand':[{'from':'h0','to':'h1','bytes':7},{'from':'h0','to':'h2','bytes':8},"
                + "{'from':'h2','to':'h0','bytes':9}]}"));
    assertEquals(
        List.of(
            "hosts=3, connected=2",
            "   host=h0, connected=true, clock=good, errorBoundNs=900, fallback=none, linkBps=1000",
            "      to=h1, demandBytes=7",
            "      to=h2, demandBytes=8",
            "   host=h1, connected=true, clock=unknown, fallback=silence, linkBps=1000",
            "   host=h2, connected=false",
            "      to=h0, demandBytes=9"),
        new SddHostsCommand().lines(data));
  }

  @Test
  void aScheduleIsListedWithWhatWasLateOrMissed() throws IOException {
    JsonNode data =
        json(
            "{'period':1201,'startNs':5,'nightNs':50000,'days':[{'startNs':50000,"
                + "'durationNs':4900000,'circuits':[{'from':'h0','to':'h1'},"
                + "{'from':'h1','to':'h0','path':2}]}],"
                + "'links':[{'from':'l0','to':'s0','usedPercent':12.5}],"
                + "'packetSwitch':[{'from':'h0','to':'h2','remainderBytes':40,'rateBps':9}]}");
    JsonNode status =
        json(
            "{'periods':9,'skippedPeriods':1,'lateWeeks':2,'lateDays':3,'latePairs':9,"
                + "'secondChances':7,'lostPairs':2,'lostNs':50,'regainedNs':40}");
    SddScheduleCommand.addMissed(
        data, status, json("{'packetsOutOfSlot':4,'lateStarts':5,'hosts':[]}"));
    assertEquals(
        List.of(
            "period=1201, startNs=5, nightNs=50000, days=1, skippedPeriods=1, lateWeeks=2,"
                + " lateDays=3, latePairs=9, secondChances=7, lostPairs=2, packetsOutOfSlot=4,"
                + " lateStarts=5",
            "   startNs=50000, durationNs=4900000, circuits=h0>h1 h1>h0/2",
            "   from=l0, to=s0, usedPercent=12.5",
            "   from=h0, to=h2, remainderBytes=40, rateBps=9"),
        new SddScheduleCommand().lines(data));
    SddScheduleCommand.addMissed(
        data,
        status,
        json(
            "{'packetsOutOfSlot':4,'lateStarts':5,'hosts':[],"
                + "'circuitSwitch':{'lateConfigurations':6}}"));
    assertEquals(6, data.get("missed").get("lateConfigurations").asInt());
  }

  @Test
  void missesAreListedByQueueAndByPort() throws IOException {
    JsonNode data =
        json(
            "{'packetsOutOfSlot':0,'lateStarts':2,'hosts':[{'host':'h0','queue':1,'to':'h1',"
                + "'lateStarts':2}],'circuitSwitch':{'configurations':7,'lateConfigurations':1,"
                + "'ports':[{'port':0,'droppedInNight':3}]}}");
    assertEquals(
        List.of(
            "packetsOutOfSlot=0, lateStarts=2",
            "   host=h0, queue=1, to=h1, lateStarts=2",
            "configurations=7, lateConfigurations=1",
            "   port=0, droppedInNight=3"),
        new SddMissesCommand().lines(data));
  }

  @Test
  void classesAreListedWithTheirRatesAtEachHost() throws IOException {
    JsonNode data =
        json(
            "{'method':'tree','capacityBps':9000,'classes':[{'name':'all','weight':2},"
                + "{'name':'web','in':'all','weight':1,'queue':4}],"
                + "'rates':[{'host':'h0','class':'web','rateBps':7,'arrivedBps':9,'sentBps':6,"
                + "'queuedBytes':5},{'host':'h1','class':'web','rateBps':8,'queuedBytes':0}]}");
    assertEquals(
        List.of(
            "classes=2, method=tree, capacityBps=9000",
            "   name=all, weight=2",
            "   name=web, in=all, weight=1, queue=4",
            "      host=h0, rateBps=7, arrivedBps=9, sentBps=6, queuedBytes=5",
            "      host=h1, rateBps=8, queuedBytes=0"),
        new SddRatesCommand().lines(data));
  }

  @Test
  void classesAreListedAsConfigured() throws IOException {
    JsonNode data =
        json(
            "{'capacityBps':9000,'classes':[{'name':'all','guaranteedBps':2},"
                + "{'name':'web','in':'all','flows':[{},{'protocol':6,'destinationPort':80}]}],"
                + "'overrides':[{'hosts':['h0','h1'],'capacityBps':7,"
                + "'classes':[{'name':'web','ceilingBps':3}]}]}");
    assertEquals(
        List.of(
            "classes=2, capacityBps=9000",
            "   name=all, guaranteedBps=2",
            "   name=web, in=all",
            "      flow=0",
            "      flow=1, protocol=6, destinationPort=80",
            "   hosts=h0 h1, capacityBps=7",
            "      name=web, ceilingBps=3"),
        new SddSharingCommand().lines(data));
    assertEquals(List.of("classes=0"), new SddSharingCommand().lines(json("{}")));
  }

  @Test
  void queuesAndDemandAreListedWithAllThatTheyHave() throws IOException {
    assertEquals(
        List.of("host=h0, queueCount=1", "   queue=1, to=h1, queuedBytes=18000"),
        new SddQueuesCommand()
            .lines(json("{'host':'h0','queues':[{'queue':1,'to':'h1','queuedBytes':18000}]}")));
    assertEquals(
        List.of("pairs=1, totalBytes=7", "   from=h0, to=h1, bytes=7"),
        new SddDemandCommand()
            .lines(json("{'totalBytes':7,'demand':[{'from':'h0','to':'h1','bytes':7}]}")));
    assertEquals(
        List.of("loop=tight, hosts=4, hybrid.bps=7, hybrid.packetDelayNs=9, runsOn=two"),
        new SddStatusCommand()
            .lines(
                json(
                    "{'loop':'tight','hosts':4,'hybrid':{'bps':7,'packetDelayNs':9},"
                        + "'runsOn':'two'}")));
  }

  @Test
  void edgesOrThePathsAndDecisionsOfOne() throws IOException {
    assertEquals(
        List.of(
            "edges=1, reportMs=1000",
            "   name=e1, connected=true, order=in-force, peers=1",
            "   prefix=10.77.3.0/24, scheme=intflow, intflow.delayUs=90",
            "   weightsTo=192.0.2.0/24, 198.51.100.1=0.75, 198.51.100.2=0.25"),
        new SddEdgeCommand()
            .lines(
                json(
                    "{'order':{'reportMs':1000,'prefixes':[{'prefix':'10.77.3.0/24',"
                        + "'scheme':'intflow','intflow':{'delayUs':90}}]},'weights':{"
                        + "'192.0.2.0/24':{'198.51.100.1':0.75,'198.51.100.2':0.25}},"
                        + "'hosts':[{'name':'e1','connected':true,"
                        + "'order':'in-force','peers':1}]}")));
    assertEquals(
        List.of(
            "name=e1, connected=true",
            "   address=192.0.2.1, scheme=alb, prefixes=10.77.2.0/24",
            "      path=0, weight=0.5, sentBytes=9, flowlets=2, receivedBytes=8, receivedLate=3,"
                + " marksTaken=1, hops=10.0.0.1 *",
            "      reason=gap, flow=7"),
        new SddEdgeCommand()
            .lines(
                json(
                    "{'name':'e1','connected':true,'report':{'peers':[{'address':'192.0.2.1',"
                        + "'scheme':'alb','prefixes':['10.77.2.0/24'],"
                        + "'paths':[{'path':0,'weight':0.5,'sent':{'bytes':9,'flowlets':2},"
                        + "'received':{'bytes':8,'late':3},'marks':{'taken':1},'hops':['10.0.0.1','*']}],"
                        + "'decisions':[{'reason':'gap','flow':7}]}]}}")));
  }

  @Test
  void triggersAreListedAsConfiguredAndWithWhatHasFired() throws IOException {
    assertEquals(
        List.of(
            "triggers=1",
            "   name=full, queue=class:web, when=bytes > 9, hosts=h0 h1",
            "      action=close, queue=class:mail, hosts=h1",
            "      action=open, queue=to:h1"),
        new SddTriggersCommand()
            .lines(
                json(
                    "[{'name':'full','hosts':['h0','h1'],'queue':'class:web','when':'bytes > 9',"
                        + "'actions':[{'action':'close','queue':'class:mail','hosts':['h1']},"
                        + "{'action':'open','queue':'to:h1'}]}]")));
    assertEquals(
        List.of(
            "triggers=1, events=1",
            "   name=full, queue=packet, fired=2, inForce=1",
            "      host=h0, state=watched, inForce=true, fired=2, lastNs=7",
            "   timeNs=7, event=fired, trigger=full, host=h0"),
        new SddEventsCommand()
            .lines(
                json(
                    "{'triggers':[{'name':'full','queue':'packet','fired':2,'inForce':1,'hosts':["
                        + "{'host':'h0','state':'watched','inForce':true,'fired':2,'lastNs':7}]}],"
                        + "'events':[{'timeNs':7,'event':'fired','trigger':'full','host':'h0'}]}")));
  }

  @Test
  void demandIsListedByPairAndByClass() throws IOException {
    assertEquals(
        List.of(
            "pairs=1, totalBytes=7",
            "   from=h0, to=h1, bytes=7",
            "   class=shuffle, priority=2, coflow=true, bytes=5, weight=3",
            "      from=h0, to=h1, bytes=5"),
        new SddDemandCommand()
            .lines(
                json(
                    "{'totalBytes':7,'demand':[{'from':'h0','to':'h1','bytes':7}],'classes':["
                        + "{'class':'shuffle','priority':2,'coflow':true,'bytes':5,'weight':3,"
                        + "'demand':[{'from':'h0','to':'h1','bytes':5}]}]}")));
  }
}
