package org.evenweave.sdd.condition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToIntFunction;
import org.evenweave.sdd.protocol.Limits;

/**
 * A condition over time and queues' statistics (Tewari 2015, section 5.3.4), in the grammar that
 * libsdd reads, in which {@code Q[...]} names queues as the controller knows them. Immutable.
 */
public final class Condition {
  private final String text;
  private final List<Reference> references;

  /** What stands between the brackets of one {@code Q[...]}: the text from start up to end. */
  static final class Reference {
    private final int start;
    private final int end;
    private final String queue;

    Reference(int start, int end, String queue) {
      this.start = start;
      this.end = end;
      this.queue = queue;
    }
  }

  private Condition(String text, List<Reference> references) {
    this.text = text;
    this.references = List.copyOf(references);
  }

  /**
   * Reads one.
   *
   * @param names which queues it may name
   * @throws ConditionException if hosts would refuse it, too
   */
  public static Condition parse(String text, QueueNames names) throws ConditionException {
    if (text.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_CONDITION_BYTES) {
      throw new ConditionException(0, "a condition has at most 4096 bytes");
    }
    return new Condition(text, new ConditionParser(text, names).parse());
  }

  /** As it was written. */
  public String text() {
    return text;
  }

  /**
   * For a host.
   *
   * @param numberOf a queue's number there, by its name
   */
  public String text(ToIntFunction<String> numberOf) {
    StringBuilder numbered = new StringBuilder();
    int done = 0;
    for (Reference reference : references) {
      numbered.append(text, done, reference.start).append(numberOf.applyAsInt(reference.queue));
      done = reference.end;
    }
    return numbered.append(text, done, text.length()).toString();
  }
}
