package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.realisation.GroupRequest;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Lays groups out as slots, near to what is installed. In a fabric of equal pods most switches ask
 * for what another one has asked for already; every distinct question is answered once. Not
 * thread-safe.
 */
final class Realiser {
  private static final SwitchTarget TARGET = SwitchTarget.OVS_UNIT_BUCKETS;

  /** Answers kept from one event to the next; a fabric of equal pods needs few. */
  private static final int MOST_ANSWERS = 4096;

  private final Ratio limit;
  private final Map<Question, Answer> answers = new HashMap<>();
  private long nanos;

  /** A group laid out, and one object for it under each id. */
  static final class Answer {
    final Realisation realisation;
    final SelectGroup buckets;
    private final Map<Integer, SelectGroup> groupOfId = new HashMap<>();

    private Answer(Realisation realisation, SelectGroup buckets) {
      this.realisation = realisation;
      this.buckets = buckets;
    }

    SelectGroup group(int id) {
      return groupOfId.computeIfAbsent(id, buckets::withId);
    }
  }

  private static final class Question {
    final int[] ports;
    final long[] weights;
    final SlotLayout layout;
    final int slots;
    final SelectGroup installed;
    private final int hash;

    Question(int[] ports, long[] weights, SlotLayout layout, int slots, SelectGroup installed) {
      this.ports = ports;
      this.weights = weights;
      this.layout = layout;
      this.slots = slots;
      this.installed = installed;
      int ofInstalled = installed == null ? 0 : installed.bucketsHash();
      int ofGroup = Arrays.hashCode(ports) * 31 + Arrays.hashCode(weights);
      hash = (ofGroup * 31 + layout.ordinal() * 257 + slots) * 31 + ofInstalled;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Question)) {
        return false;
      }
      Question that = (Question) other;
      return hash == that.hash
          && layout == that.layout
          && slots == that.slots
          && Arrays.equals(ports, that.ports)
          && Arrays.equals(weights, that.weights)
          && (installed == that.installed
              || (installed != null
                  && that.installed != null
                  && installed.hasBucketsOf(that.installed)));
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * @param limit on the oversubscription, at least 1
   */
  Realiser(Ratio limit) {
    this.limit = limit;
  }

  Ratio limit() {
    return limit;
  }

  /** How long all answers since the last call took. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }

  /**
   * @param ports distinct; kept, as {@code weights} are
   * @param weights aligned with {@code ports}
   * @param slots a power of two
   * @param installed the group that the new one replaces, or null
   */
  Answer realise(int[] ports, long[] weights, SlotLayout layout, int slots, SelectGroup installed) {
    long began = System.nanoTime();
    Question question = new Question(ports, weights, layout, slots, installed);
    Answer known = answers.get(question);
    if (known == null) {
      Realisation realisation =
          TARGET.ofSize(
              new GroupRequest(ports, weights, limit, layout),
              slots,
              installed == null ? null : TARGET.realise(installed.ports(), installed.weights()));
      known = new Answer(realisation, SelectGroup.ofSlots(0, realisation.bucketPorts()));
      if (answers.size() == MOST_ANSWERS) {
        answers.clear();
      }
      answers.put(question, known);
    }
    nanos += System.nanoTime() - began;
    return known;
  }
}
