package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.types.U64;

class LargeTableTest {
  private static final int ID = 5;
  private static final OperationMessages OPERATIONS =
      new OperationMessages(U64.of(7), U64.NO_MASK, 0);

  /** A table of some ports from 1 to 5. */
  private static SelectGroup table(Random random, int bits) {
    int[] members = random.ints(1, 6).distinct().limit(1 + random.nextInt(4)).toArray();
    int[] owners = new int[1 << bits];
    Arrays.setAll(owners, slot -> members[random.nextInt(members.length)]);
    return SelectGroup.largeTable(ID, owners);
  }

  private static SelectGroup read(LargeTableSwitch network) {
    LargeTableReader reader = new LargeTableReader(1);
    network.describe(reader);
    Map<Integer, SelectGroup> groups = new HashMap<>();
    reader.addTo(groups);
    return groups.get(ID);
  }

  @Property(tries = 100)
  void whatIsWrittenIsReadBack(@ForAll long seed, @ForAll @IntRange(min = 4, max = 10) int bits) {
    SelectGroup group = table(new Random(seed), bits);
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(group)));
    assertEquals(group, read(network));
    network.perform(OPERATIONS.steps(SwitchOperation.deleteGroup(group)));
    assertTrue(network.isEmpty());
  }

  @Property(tries = 200)
  void everyPacketHasAPortOfEitherTableWhileOneBecomesAnother(
      @ForAll long seed,
      @ForAll @IntRange(min = 4, max = 7) int bitsBefore,
      @ForAll @IntRange(min = 4, max = 7) int bitsAfter) {
    Random random = new Random(seed);
    SelectGroup before = table(random, bitsBefore);
    SelectGroup after = table(random, bitsAfter);
    Set<Integer> either = new TreeSet<>();
    Arrays.stream(before.memberPorts()).forEach(either::add);
    Arrays.stream(after.memberPorts()).forEach(either::add);
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(before)));
    for (OperationStep step : OPERATIONS.steps(SwitchOperation.modifyGroup(before, after))) {
      network.perform(List.of(step));
      for (int hash = 0; hash < 1 << 7; hash++) {
        assertTrue(either.contains(network.portOf(ID, hash)), "after " + step.name());
      }
    }
    assertEquals(after, read(network));
  }

  @Property(tries = 200)
  void aChangeThatBreaksOffIsReadAsDamagedAndRepaired(@ForAll long seed) {
    Random random = new Random(seed);
    SelectGroup before = table(random, 4 + random.nextInt(3));
    SelectGroup after = table(random, 4 + random.nextInt(3));
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(before)));
    List<OperationStep> steps = OPERATIONS.steps(SwitchOperation.modifyGroup(before, after));
    network.perform(steps.subList(0, random.nextInt(steps.size() + 1)));
    SelectGroup found = read(network);
    SelectGroup wanted = random.nextBoolean() ? before : after;
    if (!found.equals(wanted)) {
      network.perform(OPERATIONS.steps(SwitchOperation.modifyGroup(found, wanted)));
    }
    assertEquals(wanted, read(network));
  }

  @Test
  void onlySlotsThatChangeAreWritten() {
    int[] owners = new int[512];
    Arrays.setAll(owners, slot -> 1 + slot % 3);
    SelectGroup before = SelectGroup.largeTable(ID, owners);
    owners[17] = 1;
    SelectGroup after = SelectGroup.largeTable(ID, owners);
    assertEquals(1, OPERATIONS.steps(SwitchOperation.modifyGroup(before, after)).size());
  }

  @Test
  void aRuleThatIsGoneOrLeadsElsewhereIsOneSlotToRepair() {
    SelectGroup group = SelectGroup.largeTable(ID, new int[] {1, 2, 3, 1, 2, 3, 1, 2});
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(group)));
    network.forgetRule(ID, 4);
    SelectGroup found = read(network);
    assertEquals(
        SelectGroup.largeTable(ID, new int[] {1, 2, 3, 1, FlowCodec.NO_PORT, 3, 1, 2}), found);
    network.perform(OPERATIONS.steps(SwitchOperation.modifyGroup(found, group)));
    assertEquals(group, read(network));
  }

  @Test
  void aTableBecomesAGroupOfBucketsAndBack() {
    SelectGroup large = SelectGroup.largeTable(ID, new int[] {1, 2, 3, 1, 2, 3, 1, 2});
    SelectGroup small = SelectGroup.ofSlots(ID, new int[] {1, 2, 3});
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(small)));
    network.perform(OPERATIONS.steps(SwitchOperation.modifyGroup(small, large)));
    assertEquals(large, read(network));
    network.perform(OPERATIONS.steps(SwitchOperation.modifyGroup(large, small)));
    assertFalse(network.hasRules());
    assertEquals(Set.of(ID), network.groupIds());
  }

  /** As ONOS's, where other applications have groups too. */
  @Test
  void theIdsOfARuntimeMayBeginAnywhere() {
    int first = 0x4557_0001;
    int[] owners = new int[16];
    Arrays.fill(owners, 1);
    SelectGroup last = SelectGroup.largeTable(first + 0xffe, owners);
    assertNull(LargeTable.problem(last, first));
    assertEquals(
        "the id of a large table is at most 0x45570fff",
        LargeTable.problem(last.withId(first + 0xfff), first));
    LargeTableSwitch network = new LargeTableSwitch();
    network.perform(OPERATIONS.steps(SwitchOperation.addGroup(last)));
    LargeTableReader reader = new LargeTableReader(first);
    network.describe(reader);
    Map<Integer, SelectGroup> groups = new HashMap<>();
    reader.addTo(groups);
    assertEquals(Map.of(last.id(), last), groups);
  }

  @Test
  void aTableThatNoSwitchCanHoldIsToldBeforeAnythingIsSent() {
    int[] owners = new int[16];
    Arrays.fill(owners, 1);
    assertNull(LargeTable.problem(SelectGroup.largeTable(ID, owners), 1));
    assertEquals(
        "3 slots are no size of a large table",
        LargeTable.problem(SelectGroup.largeTable(ID, new int[] {1, 2, 3}), 1));
    owners[7] = 0x1_0000;
    assertEquals(
        "ports 1 to 65536 are not in 1..65535",
        LargeTable.problem(SelectGroup.largeTable(ID, owners), 1));
  }

  @Test
  void aDeadPortIsReplacedByTheNextOneInTurn() {
    assertEquals("[3, 7, 9]", Arrays.toString(LargeTable.failover(new int[] {3, 7, 9}, 3)));
    assertEquals("[9, 3, 7]", Arrays.toString(LargeTable.failover(new int[] {3, 7, 9}, 9)));
  }
}
