package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.types.U64;

/** Another controller becomes master of a switch whose handshake is done, in virtual time. */
class MastershipTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final String UP = "up s7 [port 1 up 10000000000 bps]";
  private static final Duration CHECK = ChannelFixture.TIMEOUT.dividedBy(2);

  private final FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1);

  /** Another controller claims the switch, which does not say so. */
  private void anotherClaims() {
    peer.role = OFControllerRole.ROLE_SLAVE;
    peer.generation++;
  }

  /** The report of Open vSwitch in OpenFlow 1.3: an experimenter's message of the ONF. */
  private byte[] roleStatus() {
    ByteBuf status = Unpooled.buffer();
    status.writeByte(4).writeByte(4).writeShort(32).writeInt(0);
    status.writeInt(0x4f4e_4600).writeInt(1911);
    status.writeInt(3).writeByte(0).writeZero(3).writeLong(peer.generation);
    return ByteBufUtil.getBytes(status);
  }

  private static List<Long> claims(ChannelFixture fixture) {
    List<Long> generations = new ArrayList<>();
    for (OFRoleRequest request : fixture.sent(OFRoleRequest.class)) {
      if (request.getRole() == OFControllerRole.ROLE_MASTER) {
        generations.add(request.getGenerationId().getValue());
      }
    }
    return generations;
  }

  @Test
  void aRoleStatusTakesTheSwitchDownAndItIsClaimedAtOnceWithANewerGeneration() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    anotherClaims();
    fixture.fromSwitch(roleStatus());
    assertEquals(List.of(UP, "down s7", "barred s7", UP), fixture.events);
    assertEquals(List.of(0L, 2L), claims(fixture));
    assertEquals(OFControllerRole.ROLE_MASTER, peer.role);
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void aChangeThatIsRefusedToASlaveShowsTheLoss() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    anotherClaims();
    fixture.fromSwitch(
        OF.errorMsgs()
            .buildBadRequestErrorMsg()
            .setXid(4711)
            .setCode(OFBadRequestCode.IS_SLAVE)
            .build());
    assertEquals(List.of(UP, "down s7", "barred s7", UP), fixture.events);
  }

  /** Packets of hosts stop, and nothing else says so. */
  @Test
  void aLossThatNothingShowsIsFoundByTheNextQuery() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    anotherClaims();
    fixture.pass(CHECK.plusMillis(200));
    assertEquals(List.of(UP, "down s7", "barred s7", UP), fixture.events);
  }

  @Test
  void aClaimThatIsStaleIsRepeatedWithTheGenerationThatTheSwitchHas() {
    peer.claimsBetween = 1;
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(List.of("barred s7", UP), fixture.events);
    assertTrue(fixture.channel.isActive());
  }

  /** Each claims as soon as it has lost, which without pauses would be a storm. */
  @Test
  void twoControllersThatClaimForEverChangePlacesEverMoreSeldom() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    Duration tenth = Duration.ofMillis(100);
    List<Integer> claimsByMinute = new ArrayList<>();
    int before = claims(fixture).size();
    for (int minute = 0; minute < 5; minute++) {
      for (int step = 0; step < 600; step++) {
        if (peer.role == OFControllerRole.ROLE_MASTER) {
          anotherClaims();
          fixture.fromSwitch(roleStatus());
        }
        fixture.pass(tenth);
      }
      claimsByMinute.add(claims(fixture).size() - before);
      before = claims(fixture).size();
    }
    // At once, after 1, 3, 7, 15, 31 s, and each up to a quarter earlier; then each 48 to 64 s.
    assertTrue(claimsByMinute.get(0) >= 6 && claimsByMinute.get(0) <= 7, claimsByMinute.toString());
    assertTrue(claimsByMinute.get(4) <= 2, claimsByMinute.toString());
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void afterFiveMinutesAsMasterTheNextClaimIsAtOnceAgain() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    for (int time = 0; time < 4; time++) {
      anotherClaims();
      fixture.fromSwitch(roleStatus());
      assertEquals(OFControllerRole.ROLE_MASTER, peer.role, "claimed at once, time " + time);
      fixture.pass(Duration.ofMillis(Mastership.FORGIVEN_AFTER_MILLIS).plusMillis(200));
    }
  }

  @Test
  void aStandbyNeverClaimsASwitchThatHasHadAMaster() {
    peer.generation = 41;
    ChannelFixture fixture = new ChannelFixture(peer, MasterRule.STANDBY);
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(100));
    assertEquals(List.of("barred s7"), fixture.events);
    assertEquals(List.of(), claims(fixture));
    assertTrue(fixture.channel.isActive(), "it goes on waiting");
  }

  @Test
  void aStandbyClaimsASwitchThatNeverHadAMasterAndYieldsIt() {
    ChannelFixture fixture = new ChannelFixture(peer, MasterRule.STANDBY);
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    assertEquals(List.of(UP), fixture.events);
    anotherClaims();
    fixture.fromSwitch(roleStatus());
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(100));
    assertEquals(List.of(UP, "down s7", "barred s7"), fixture.events);
    assertEquals(1, claims(fixture).size());
  }

  @Test
  void aStandbyClaimsWhenNoOtherMasterLives() {
    peer.generation = 41;
    ChannelFixture fixture = new ChannelFixture(peer, MasterRule.STANDBY);
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.barred.otherMasterIsGone();
    fixture.settle();
    assertEquals(List.of("barred s7", UP), fixture.events);
    anotherClaims();
    fixture.fromSwitch(roleStatus());
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(100));
    assertEquals(1, claims(fixture).size(), "that was known for once");
  }

  /** Whatever happens in whatever order, what is reported fits what the switch says. */
  @Property(tries = 300)
  void reportsOfTheSwitchAlternateAndEndAsItsRole(@ForAll List<Boolean> steps) {
    FakeOpenFlowSwitch other = new FakeOpenFlowSwitch(7, 1);
    ChannelFixture fixture = ChannelFixture.withUp(other);
    for (boolean claims : steps) {
      if (claims) {
        other.role = OFControllerRole.ROLE_SLAVE;
        other.generation++;
      }
      fixture.pass(Duration.ofSeconds(1));
    }
    // Longer than the longest pause, and a check.
    fixture.pass(Duration.ofMillis(Mastership.LONGEST_PAUSE_MILLIS).plus(CHECK).plus(CHECK));
    assertEquals(OFControllerRole.ROLE_MASTER, other.role);
    List<String> alternating = new ArrayList<>(List.of(UP));
    for (int event = 1; event < fixture.events.size(); event += 3) {
      alternating.addAll(List.of("down s7", "barred s7", UP));
    }
    assertEquals(alternating, fixture.events);
    assertEquals(
        U64.of(other.generation).getValue(), claims(fixture).get(claims(fixture).size() - 1));
  }
}
