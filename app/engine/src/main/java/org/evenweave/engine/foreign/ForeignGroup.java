package org.evenweave.engine.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/** A group of a switch that is not Evenweave's, by its id. Immutable. */
public final class ForeignGroup {
  /** What a packet meets: all buckets, one of them, the first that is live. */
  public enum Type {
    ALL,
    SELECT,
    INDIRECT,
    FAST_FAILOVER,
    /** Of a vendor: anything may happen. */
    UNKNOWN
  }

  /** A bucket's actions, and the port that it needs. */
  public static final class Bucket {
    /** In place of a port where a bucket needs none. */
    public static final int NO_WATCH = -1;

    private final int watchPort;
    private final List<ForeignAction> actions;

    /**
     * @param watchPort {@link #NO_WATCH} for none
     */
    public Bucket(int watchPort, List<ForeignAction> actions) {
      this.watchPort = watchPort;
      this.actions = List.copyOf(actions);
    }

    public int watchPort() {
      return watchPort;
    }

    public List<ForeignAction> actions() {
      return actions;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bucket
          && watchPort == ((Bucket) other).watchPort
          && actions.equals(((Bucket) other).actions);
    }

    @Override
    public int hashCode() {
      return Objects.hash(watchPort, actions);
    }
  }

  private final int id;
  private final Type type;
  private final List<Bucket> buckets;

  public ForeignGroup(int id, Type type, List<Bucket> buckets) {
    this.id = id;
    this.type = type;
    this.buckets = List.copyOf(buckets);
  }

  /** Unsigned. */
  public int id() {
    return id;
  }

  public Type type() {
    return type;
  }

  public List<Bucket> buckets() {
    return buckets;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignGroup
        && id == ((ForeignGroup) other).id
        && type == ((ForeignGroup) other).type
        && buckets.equals(((ForeignGroup) other).buckets);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, type, buckets);
  }

  /** The type and the actions of the first buckets. */
  @Override
  public String toString() {
    StringJoiner text =
        new StringJoiner(" | ", type.name().toLowerCase(java.util.Locale.ROOT) + " ", "");
    int most = Math.min(buckets.size(), 8);
    for (Bucket bucket : new ArrayList<>(buckets.subList(0, most))) {
      text.add(ForeignRule.text(bucket.actions()));
    }
    return text + (most < buckets.size() ? " | and " + (buckets.size() - most) + " more" : "");
  }
}
