package org.evenweave.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The name, meaning and labels of a metric. Documentation is checked against these, so each program
 * lists all its metrics. Immutable.
 */
public final class Family {
  /** The kind of a metric, as Prometheus distinguishes them. */
  public enum Type {
    /** Rises only, and begins again at 0 when the process restarts. */
    COUNTER,
    /** Rises and falls. */
    GAUGE,
    /** Counts observations in buckets. */
    HISTOGRAM;

    /** As in a {@code # TYPE} line. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String TOTAL = "_total";

  private final Type type;
  private final String name;
  private final String help;
  private final List<String> labels;

  private Family(Type type, String name, String help, String... labels) {
    this.type = type;
    this.name = Objects.requireNonNull(name);
    this.help = Objects.requireNonNull(help);
    this.labels = List.of(labels);
  }

  /**
   * @param name ends in {@code _total}
   */
  public static Family counter(String name, String help, String... labels) {
    if (!name.endsWith(TOTAL)) {
      throw new IllegalArgumentException("the name of a counter ends in _total, not: " + name);
    }
    return new Family(Type.COUNTER, name, help, labels);
  }

  /**
   * @param name ends in the unit, such as {@code _seconds}, if it has one
   */
  public static Family gauge(String name, String help, String... labels) {
    return new Family(Type.GAUGE, name, help, labels);
  }

  /**
   * @param name ends in the unit of what is observed, such as {@code _seconds}
   */
  public static Family histogram(String name, String help, String... labels) {
    return new Family(Type.HISTOGRAM, name, help, labels);
  }

  public Type type() {
    return type;
  }

  /** As queries name it. */
  public String name() {
    return name;
  }

  /** The name as the client library wants it: that of a counter without {@code _total}. */
  String modelName() {
    return type == Type.COUNTER ? name.substring(0, name.length() - TOTAL.length()) : name;
  }

  /** One sentence without a full stop. */
  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }
}
