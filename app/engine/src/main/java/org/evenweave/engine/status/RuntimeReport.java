package org.evenweave.engine.status;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Information about the runtime that does not affect the fabric's state: the settings of its
 * environment that it has changed, and the configuration that it has refused. Immutable.
 */
public final class RuntimeReport {
  /** Nothing was changed, and nothing refused. */
  public static final RuntimeReport NOTHING = new RuntimeReport(List.of(), null);

  private final List<Setting> settings;
  private final Refusal refusal;

  /**
   * @param refusal the last configuration that was refused, if none was accepted since; else null
   */
  public RuntimeReport(List<Setting> settings, Refusal refusal) {
    this.settings = List.copyOf(settings);
    this.refusal = refusal;
  }

  /** The settings that the runtime changed and will restore. */
  public List<Setting> settings() {
    return settings;
  }

  /** The last configuration that was refused; empty if one was accepted since. */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RuntimeReport
        && settings.equals(((RuntimeReport) other).settings)
        && Objects.equals(refusal, ((RuntimeReport) other).refusal);
  }

  @Override
  public int hashCode() {
    return Objects.hash(settings, refusal);
  }

  /** A setting of something that the runtime depends on. */
  public static final class Setting {
    private final String component;
    private final String name;
    private final String value;
    private final String original;

    /**
     * @param component what is set
     * @param value in force now
     * @param original what the runtime restores
     */
    public Setting(String component, String name, String value, String original) {
      this.component = component;
      this.name = name;
      this.value = value;
      this.original = original;
    }

    public String component() {
      return component;
    }

    public String name() {
      return name;
    }

    public String value() {
      return value;
    }

    /** What the runtime restores. */
    public String original() {
      return original;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Setting && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return component + " " + name + " " + value + " " + original;
    }
  }

  /** A configuration that was refused. */
  public static final class Refusal {
    private final Instant at;
    private final String field;
    private final String problem;

    /**
     * @param field the path of the field that is wrong
     * @param problem a sentence on it
     */
    public Refusal(Instant at, String field, String problem) {
      this.at = at;
      this.field = field;
      this.problem = problem;
    }

    public Instant at() {
      return at;
    }

    public String field() {
      return field;
    }

    public String problem() {
      return problem;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Refusal && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return at + " " + field + ": " + problem;
    }
  }
}
