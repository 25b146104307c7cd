package org.evenweave.sdd.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.sdd.config.Trigger;
import org.evenweave.sdd.config.TriggerAction;
import org.evenweave.sdd.session.VirtualHost;

/**
 * Whatever happens, and in whatever order: once all that was said has been heard, what hosts see is
 * what is in force, and what is in force is what hosts have.
 */
class TriggersModelTest {
  private static final int HOSTS = 3;

  /** The first class's; there are two. */
  private static final int FIRST_QUEUE = HOSTS + 1;

  private static final int LEAST = 10;
  private static final int MOST = 20;
  private static final long PACKET_BITS = 8_000;
  private static final long CAPACITY_BPS = 1_000_000;

  /** One that begins above {@code MOST} and, if it has an end, ends below {@code LEAST}. */
  private static String trigger(int name, Random random) {
    String[] classes = {"class:web", "class:backup"};
    String[] targets = {"class:web", "class:backup", "to:h1"};
    List<String> actions = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String target = targets[random.nextInt(3)];
      boolean ceiling = !target.startsWith("to") && random.nextBoolean();
      String where = target.startsWith("to") || random.nextBoolean() ? ", 'hosts': ['h2']" : "";
      actions.add(
          String.format(
              Locale.ROOT,
              "{'action': '%s', 'queue': '%s'%s%s}",
              ceiling ? "ceiling" : random.nextInt(3) == 0 ? "open" : "close",
              target,
              ceiling ? ", 'ceilingBps': " + (1 + random.nextInt(5)) * 100_000 : "",
              where));
    }
    return String.format(
        Locale.ROOT,
        "{'name': 't%d', 'queue': '%s', 'when': 'bytes > %d'%s, 'actions': %s}",
        name,
        classes[random.nextInt(2)],
        MOST,
        random.nextInt(4) == 0 ? "" : ", 'until': 'bytes < " + LEAST + "'",
        actions);
  }

  private static String[] document(Random random) {
    List<String> all = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      all.add(trigger(i, random));
    }
    return all.toArray(new String[0]);
  }

  private static void change(TriggerBed bed, Random random) throws Exception {
    int number = random.nextInt(HOSTS);
    boolean isUp = bed.host(number).session() != null;
    switch (random.nextInt(12)) {
      case 0:
        bed.replace(document(random));
        break;
      case 1:
        if (isUp) {
          bed.down(number);
        }
        break;
      case 2:
      case 3:
        if (!isUp) {
          bed.up(number);
        }
        break;
      case 4:
      case 5:
        bed.step(number);
        break;
      case 6:
        bed.settle();
        break;
      default:
        bed.host(number).bytes(FIRST_QUEUE + random.nextInt(2), random.nextInt(2 * MOST));
    }
  }

  @Property
  void whatIsInForceIsWhatHostsSee(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    // Hosts lose events whenever one more would wait than they have triggers.
    try (TriggerBed bed = new TriggerBed(HOSTS, 3, 64)) {
      for (int i = 0; i < 60; i++) {
        change(bed, random);
        if (random.nextInt(8) == 0) {
          bed.settle();
          check(bed);
        }
      }
    }
  }

  private static void check(TriggerBed bed) {
    for (Trigger trigger : bed.triggers.config().triggers()) {
      for (TriggerState state : bed.triggers.states(trigger.name())) {
        check(bed, trigger, state);
      }
    }
    for (int host = 0; host < HOSTS; host++) {
      check(bed, host);
    }
  }

  private static void check(TriggerBed bed, Trigger trigger, TriggerState state) {
    VirtualHost host = bed.host(state.host());
    long bytes = host.bytes(bed.sharing.queue(trigger.queue().trafficClass()));
    boolean isUp = host.session() != null;
    assertEquals(isUp ? "watched" : "away", state.state());
    if (isUp && bytes > MOST) {
      assertTrue(state.inForce(), trigger.name() + " at " + state.host());
    } else if (trigger.until() != null && (!isUp || bytes < LEAST)) {
      assertFalse(state.inForce(), trigger.name() + " at " + state.host());
    }
  }

  private static void check(TriggerBed bed, int host) {
    VirtualHost at = bed.host(host);
    for (int target = 0; target < HOSTS; target++) {
      boolean closed = target != host && mostBps(bed, host, "to:h" + target) == 0;
      assertEquals(closed, bed.held.isHeld(host, target), host + " to " + target);
    }
    if (at.session() == null) {
      return;
    }
    int watched = 0;
    for (Trigger trigger : bed.triggers.config().triggers()) {
      watched += trigger.until() == null ? 1 : 2;
    }
    assertEquals(watched, at.triggers());
    String[] names = {"web", "backup"};
    for (int c = 0; c < names.length; c++) {
      long mostBps = mostBps(bed, host, "class:" + names[c]);
      int queue = FIRST_QUEUE + c;
      assertEquals(mostBps > 0, at.isOpen(queue), at.conditions.toString());
      assertEquals(1, at.conditions.get(queue).size(), at.conditions.toString());
      // A class whose ceiling has risen has the rate it had until the next report.
      long rateBps = bed.sharing.rateBps(host, c);
      assertTrue(rateBps <= mostBps, rateBps + " of " + mostBps);
      assertEquals(mostBps > 0, rateBps > 0);
      if (mostBps > 0) {
        long gapNs = (PACKET_BITS * 1_000_000_000 + rateBps - 1) / rateBps;
        assertEquals(List.of("currTime - lastXmitTime >= " + gapNs), at.conditions.get(queue));
      }
    }
  }

  /** By the words of the reference: what a queue gets at most at a host. */
  private static long mostBps(TriggerBed bed, int host, String queue) {
    List<Long> ceilings = new ArrayList<>(List.of(CAPACITY_BPS));
    boolean anyOpens = false;
    boolean isOpened = false;
    for (Trigger trigger : bed.triggers.config().triggers()) {
      for (TriggerAction action : trigger.actions()) {
        boolean everywhere = action.hosts().isEmpty();
        if (!action.queue().toString().equals(queue)
            || (!everywhere && !action.hosts().contains("h" + host))) {
          continue;
        }
        boolean inForce =
            bed.triggers.states(trigger.name()).stream()
                .filter(state -> !everywhere || state.host() == host)
                .anyMatch(TriggerState::inForce);
        anyOpens |= action.kind() == TriggerAction.Kind.OPEN;
        isOpened |= action.kind() == TriggerAction.Kind.OPEN && inForce;
        if (inForce && action.kind() == TriggerAction.Kind.CLOSE) {
          ceilings.add(0L);
        } else if (inForce && action.kind() == TriggerAction.Kind.CEILING) {
          ceilings.add(action.ceilingBps());
        }
      }
    }
    return anyOpens && !isOpened ? 0 : Collections.min(ceilings);
  }
}
