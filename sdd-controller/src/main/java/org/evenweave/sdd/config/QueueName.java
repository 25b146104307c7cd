package org.evenweave.sdd.config;

import java.util.Objects;
import java.util.function.ToIntFunction;
import org.evenweave.sdd.session.Directory;

/**
 * A queue as operators name it, whatever its number: {@code packet}, the one that is always open;
 * {@code to:HOST}, that of a destination; {@code class:NAME}, that of a traffic class. Immutable.
 */
public final class QueueName {
  private static final String PACKET = "packet";
  private static final String TO = "to:";
  private static final String CLASS = "class:";

  private final String text;

  private QueueName(String text) {
    this.text = text;
  }

  /**
   * @param text of one of the three forms
   */
  public static QueueName of(String text) {
    return new QueueName(text);
  }

  /** Whether it is one at all, whatever there is. */
  static boolean isName(String text) {
    return text.equals(PACKET) || text.startsWith(TO) || text.startsWith(CLASS);
  }

  /** The destination of a circuit's queue, or null. */
  public String destination() {
    return text.startsWith(TO) ? text.substring(TO.length()) : null;
  }

  /** The traffic class of a queue, or null. */
  public String trafficClass() {
    return text.startsWith(CLASS) ? text.substring(CLASS.length()) : null;
  }

  /**
   * Its number at a host.
   *
   * @param queueOfClass a traffic class's, by its name
   */
  public int number(Directory directory, ToIntFunction<String> queueOfClass) {
    if (destination() != null) {
      return directory.numberOf(destination());
    }
    return trafficClass() != null
        ? queueOfClass.applyAsInt(trafficClass())
        : directory.packetQueue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueueName && ((QueueName) other).text.equals(text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
