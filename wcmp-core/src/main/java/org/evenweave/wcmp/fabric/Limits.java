package org.evenweave.wcmp.fabric;

import java.util.Objects;

/**
 * The limits of a switch's tables. Each limit is at least 1, that of groups at least 0; {@link
 * Fabric#UNLIMITED} stands for one that is not known. Immutable.
 */
public final class Limits {
  /** No limit is known. */
  public static final Limits NONE =
      new Limits(Fabric.UNLIMITED, Fabric.UNLIMITED, Fabric.UNLIMITED, Fabric.UNLIMITED);

  private final int entries;
  private final int groupEntries;
  private final int groups;
  private final int rules;

  private Limits(int entries, int groupEntries, int groups, int rules) {
    this.entries = atLeastOne("entries", entries);
    this.groupEntries = atLeastOne("groupEntries", groupEntries);
    this.groups = groups;
    this.rules = atLeastOne("rules", rules);
    if (groups < 0) {
      throw new IllegalArgumentException("groups must be at least 0, not " + groups);
    }
  }

  private static int atLeastOne(String name, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + limit);
    }
    return limit;
  }

  /** A multipath table of so many entries, and no other limit. */
  public static Limits ofEntries(int entries) {
    return NONE.withEntries(entries);
  }

  /** The entries of all groups together. */
  public int entries() {
    return entries;
  }

  /** The entries of each group. */
  public int groupEntries() {
    return groupEntries;
  }

  /** The groups that the switch can have at the same time. */
  public int groups() {
    return groups;
  }

  /** The rules that the switch can have at the same time. */
  public int rules() {
    return rules;
  }

  public Limits withEntries(int newEntries) {
    return new Limits(newEntries, groupEntries, groups, rules);
  }

  public Limits withGroupEntries(int newGroupEntries) {
    return new Limits(entries, newGroupEntries, groups, rules);
  }

  public Limits withGroups(int newGroups) {
    return new Limits(entries, groupEntries, newGroups, rules);
  }

  public Limits withRules(int newRules) {
    return new Limits(entries, groupEntries, groups, newRules);
  }

  /** The lower of each limit of the two. */
  public Limits and(Limits other) {
    return other.equals(NONE)
        ? this
        : new Limits(
            Math.min(entries, other.entries),
            Math.min(groupEntries, other.groupEntries),
            Math.min(groups, other.groups),
            Math.min(rules, other.rules));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Limits
        && ((Limits) other).entries == entries
        && ((Limits) other).groupEntries == groupEntries
        && ((Limits) other).groups == groups
        && ((Limits) other).rules == rules;
  }

  @Override
  public int hashCode() {
    return Objects.hash(entries, groupEntries, groups, rules);
  }

  /** For example {@code entries 1024, groups 256}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text, "entries", entries);
    append(text, "groupEntries", groupEntries);
    append(text, "groups", groups);
    append(text, "rules", rules);
    return text.length() == 0 ? "no limits" : text.toString();
  }

  private static void append(StringBuilder text, String name, int limit) {
    if (limit != Fabric.UNLIMITED) {
      text.append(text.length() == 0 ? "" : ", ").append(name).append(' ').append(limit);
    }
  }
}
