package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

class OpenFlowChannelTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  private final FakeController controller = new FakeController();
  private final OpenFlowChannel channel = new OpenFlowChannel(controller);

  @Test
  void groupsComeWithTheirWeightsInTheOrderOfTheirBuckets() {
    CompletableFuture<List<SelectGroup>> groups = channel.groups(DEVICE);
    controller.answer(entry(0x4557_0003, OFGroupType.SELECT, bucket(2, 5), bucket(1, 7)));
    assertEquals(
        List.of(new SelectGroup(0x4557_0003, new int[] {2, 1}, new int[] {5, 7})), groups.join());
  }

  @Test
  void groupsOfOtherApplicationsAreNotShown() {
    CompletableFuture<List<SelectGroup>> groups = channel.groups(DEVICE);
    controller.answer(entry(3, OFGroupType.SELECT, bucket(2, 5)));
    assertEquals(List.of(), groups.join());
  }

  @Test
  void aGroupOfAnotherShapeEqualsNothingThatIsWanted() {
    CompletableFuture<List<SelectGroup>> groups = channel.groups(DEVICE);
    controller.answer(entry(0x4557_0003, OFGroupType.ALL, bucket(2, 1)));
    assertEquals(
        List.of(new SelectGroup(0x4557_0003, new int[] {0}, new int[] {1})), groups.join());
  }

  @Test
  void aGroupThatWatchesNoPortIsSetToAndReadAgain() {
    CompletableFuture<List<SelectGroup>> groups = channel.groups(DEVICE);
    controller.answer(entry(0x4557_0003, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY)));
    assertFalse(groups.isDone());
    OFGroupMod change = (OFGroupMod) controller.written.get(2);
    assertEquals(OFGroup.of(0x4557_0003), change.getGroup());
    assertEquals(List.of(bucket(2, 5)), change.getBuckets());
    controller.answer(entry(0x4557_0003, OFGroupType.SELECT, bucket(2, 5)));
    assertEquals(
        List.of(new SelectGroup(0x4557_0003, new int[] {2}, new int[] {5})), groups.join());
  }

  @Test
  void statisticsAndDescriptionAreAskedForWithIdsThatFollowEachOther() {
    channel.groups(DEVICE);
    assertTrue(controller.written.get(0) instanceof OFGroupStatsRequest);
    assertTrue(controller.written.get(1) instanceof OFGroupDescStatsRequest);
    assertEquals(controller.written.get(0).getXid() + 1, controller.written.get(1).getXid());
  }

  @Test
  void theAnswerToAnothersQuestionIsNotTaken() {
    CompletableFuture<List<SelectGroup>> groups = channel.groups(DEVICE);
    controller.listener.handleMessage(new Dpid(), OF.buildGroupDescStatsReply().setXid(17).build());
    assertFalse(groups.isDone());
  }

  @Test
  void aSwitchThatIsNotConnectedHereCannotBeAsked() {
    controller.connected = false;
    CompletionException error =
        assertThrows(CompletionException.class, channel.groups(DEVICE)::join);
    assertTrue(error.getCause() instanceof SouthboundException);
  }

  @Test
  void aControllerWithoutTheMethodsOfOnosIsRefused() {
    assertThrows(IllegalStateException.class, () -> new OpenFlowChannel(new Object()));
  }

  @Test
  void closingTakesTheListenerAway() {
    assertNotNull(controller.listener);
    channel.close();
    assertNull(controller.listener);
  }

  private static OFBucket bucket(int port, int weight) {
    return bucket(port, weight, OFPort.of(port));
  }

  private static OFBucket bucket(int port, int weight, OFPort watched) {
    return OF.buildBucket()
        .setWeight(weight)
        .setWatchPort(watched)
        .setWatchGroup(OFGroup.ANY)
        .setActions(List.of(OF.actions().output(OFPort.of(port), 0)))
        .build();
  }

  private static OFGroupDescStatsEntry entry(int id, OFGroupType type, OFBucket... buckets) {
    return OF.buildGroupDescStatsEntry()
        .setGroup(OFGroup.of(id))
        .setGroupType(type)
        .setBuckets(List.of(buckets))
        .build();
  }

  /** As ONOS's class of this name. */
  public static final class Dpid {
    public static Dpid dpid(URI uri) {
      assertEquals(DEVICE.uri(), uri);
      return new Dpid();
    }
  }

  /** As ONOS's interface OpenFlowSwitch. */
  public interface Switch {
    OFFactory factory();
  }

  /** As ONOS's interface OpenFlowEventListener. */
  public interface Listener {
    void handleMessage(Dpid dpid, OFMessage message);
  }

  /** The part of ONOS's interface OpenFlowController that is used. */
  public interface Controller {
    Switch getSwitch(Dpid dpid);

    void write(Dpid dpid, OFMessage message);

    void addEventListener(Listener listener);

    void removeEventListener(Listener listener);
  }

  private static final class FakeController implements Controller {
    final List<OFMessage> written = new ArrayList<>();
    boolean connected = true;
    Listener listener;

    void answer(OFGroupDescStatsEntry entry) {
      long xid = written.get(written.size() - 1).getXid();
      listener.handleMessage(
          new Dpid(), OF.buildGroupDescStatsReply().setXid(xid).setEntries(List.of(entry)).build());
    }

    @Override
    public Switch getSwitch(Dpid dpid) {
      return connected ? new ConnectedSwitch() : null;
    }

    @Override
    public void write(Dpid dpid, OFMessage message) {
      written.add(message);
    }

    @Override
    public void addEventListener(Listener newListener) {
      listener = newListener;
    }

    @Override
    public void removeEventListener(Listener oldListener) {
      if (oldListener.equals(listener)) {
        listener = null;
      }
    }
  }

  private static final class ConnectedSwitch implements Switch {
    @Override
    public OFFactory factory() {
      return OF;
    }
  }
}
