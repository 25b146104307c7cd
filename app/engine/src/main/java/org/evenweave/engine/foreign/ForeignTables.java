package org.evenweave.engine.foreign;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rules and groups of one switch that are not Evenweave's, as read. Immutable. */
public final class ForeignTables {
  public static final ForeignTables NONE = new ForeignTables(List.of(), List.of(), 0);

  /** So many rules of a switch are examined; what others do is not known. */
  public static final int MAX_RULES = 16_384;

  /** So that two readings of the same rules are equal. */
  private static final Comparator<ForeignRule> ORDER =
      Comparator.comparingInt(ForeignRule::table)
          .thenComparing(ForeignRule::rank, Comparator.reverseOrder())
          .thenComparing(ForeignRule::toString)
          .thenComparingLong(ForeignRule::cookie);

  private final List<ForeignRule> rules;
  private final Map<Integer, ForeignGroup> groups;
  private final int unexamined;

  /**
   * @param unexamined how many rules there are besides
   */
  public ForeignTables(
      Collection<ForeignRule> rules, Collection<ForeignGroup> groups, int unexamined) {
    List<ForeignRule> sorted = new ArrayList<>(rules);
    sorted.sort(ORDER);
    this.rules = Collections.unmodifiableList(sorted);
    this.groups = new TreeMap<>();
    groups.forEach(group -> this.groups.put(group.id(), group));
    this.unexamined = unexamined;
  }

  /** By table, and in each by falling priority. */
  public List<ForeignRule> rules() {
    return rules;
  }

  /** By id. */
  public Map<Integer, ForeignGroup> groups() {
    return Collections.unmodifiableMap(groups);
  }

  /** How many rules there are besides {@link #rules}. */
  public int unexamined() {
    return unexamined;
  }

  public boolean isEmpty() {
    return rules.isEmpty() && groups.isEmpty() && unexamined == 0;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof ForeignTables
            && rules.equals(((ForeignTables) other).rules)
            && groups.equals(((ForeignTables) other).groups)
            && unexamined == ((ForeignTables) other).unexamined);
  }

  @Override
  public int hashCode() {
    return 31 * rules.hashCode() + groups.hashCode();
  }
}
