package org.evenweave.wcmp.fabric;

import java.util.Arrays;

/**
 * The limits of a switch's tables. Each limit is at least 1, that of groups at least 0; {@link
 * Fabric#UNLIMITED} stands for one that is not known. Immutable.
 */
public final class Limits {
  /** What may be limited. */
  public enum Kind {
    /** The entries of all groups together. */
    ENTRIES("entries", 1),
    /** The entries of each group. */
    GROUP_ENTRIES("groupEntries", 1),
    /** The groups that the switch can have at the same time. */
    GROUPS("groups", 0),
    /** The rules that the switch can have at the same time. */
    RULES("rules", 1),
    /** The weight of each port of a group, where the switch has weights as numbers. */
    MAX_WEIGHT("maxWeight", 1),
    /** The weights of all ports of a group together, where the switch has weights as numbers. */
    MAX_TOTAL_WEIGHT("maxTotalWeight", 1);

    private final String fieldName;
    private final int least;

    Kind(String fieldName, int least) {
      this.fieldName = fieldName;
      this.least = least;
    }

    /** Whether it is for switches that have weights as numbers. */
    public boolean isOfWeights() {
      return this == MAX_WEIGHT || this == MAX_TOTAL_WEIGHT;
    }

    /** The name in the fabric file. */
    public String fieldName() {
      return fieldName;
    }
  }

  /** No limit is known. */
  public static final Limits NONE = new Limits(unlimited());

  /** By {@link Kind}. */
  private final int[] most;

  private Limits(int[] most) {
    this.most = most;
  }

  private static int[] unlimited() {
    int[] most = new int[Kind.values().length];
    Arrays.fill(most, Fabric.UNLIMITED);
    return most;
  }

  /** A multipath table of so many entries, and no other limit. */
  public static Limits ofEntries(int entries) {
    return NONE.withEntries(entries);
  }

  /** One of the limits, or {@link Fabric#UNLIMITED}. */
  public int of(Kind kind) {
    return most[kind.ordinal()];
  }

  /** The same with another limit of one kind. */
  public Limits with(Kind kind, int limit) {
    if (limit < kind.least) {
      throw new IllegalArgumentException(
          kind.fieldName + " must be at least " + kind.least + ", not " + limit);
    }
    if (limit == of(kind)) {
      return this;
    }
    int[] changed = most.clone();
    changed[kind.ordinal()] = limit;
    return new Limits(changed);
  }

  /** {@link Kind#ENTRIES}. */
  public int entries() {
    return of(Kind.ENTRIES);
  }

  /** {@link Kind#GROUP_ENTRIES}. */
  public int groupEntries() {
    return of(Kind.GROUP_ENTRIES);
  }

  /** {@link Kind#GROUPS}. */
  public int groups() {
    return of(Kind.GROUPS);
  }

  /** {@link Kind#RULES}. */
  public int rules() {
    return of(Kind.RULES);
  }

  public Limits withEntries(int newEntries) {
    return with(Kind.ENTRIES, newEntries);
  }

  public Limits withGroupEntries(int newGroupEntries) {
    return with(Kind.GROUP_ENTRIES, newGroupEntries);
  }

  public Limits withGroups(int newGroups) {
    return with(Kind.GROUPS, newGroups);
  }

  public Limits withRules(int newRules) {
    return with(Kind.RULES, newRules);
  }

  /** The lower of each limit of the two. */
  public Limits and(Limits other) {
    if (other.equals(NONE)) {
      return this;
    }
    int[] lower = new int[most.length];
    Arrays.setAll(lower, i -> Math.min(most[i], other.most[i]));
    return new Limits(lower);
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Limits && Arrays.equals(((Limits) other).most, most));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(most);
  }

  /** For example {@code entries 1024, groups 256}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Kind kind : Kind.values()) {
      if (of(kind) != Fabric.UNLIMITED) {
        text.append(text.length() == 0 ? "" : ", ").append(kind.fieldName).append(' ');
        text.append(of(kind));
      }
    }
    return text.length() == 0 ? "no limits" : text.toString();
  }
}
