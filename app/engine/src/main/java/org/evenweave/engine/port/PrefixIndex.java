package org.evenweave.engine.port;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Numbers distinct prefixes from 0 by rising address and length, so that what is kept for each of
 * them can be an array. Immutable except for a cache, and one object for equal sets of prefixes:
 * the rules of all switches of a fabric share one.
 */
public final class PrefixIndex {
  /** Of a key, those that are the prefix's length. */
  private static final long LENGTH_BITS = 63;

  /** The indices in use, by themselves. */
  private static final Map<PrefixIndex, WeakReference<PrefixIndex>> KNOWN =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final long[] keys;

  /** A bit for each length that any of the prefixes has. */
  private final long lengths;

  private final RulePages pages;

  private PrefixIndex(long[] keys) {
    this.keys = keys;
    pages = new RulePages(RouteRules.pageCount(keys.length));
    lengths = Arrays.stream(keys).reduce(0, (found, key) -> found | 1L << (key & LENGTH_BITS));
  }

  /** The index of these prefixes, in any order, repeated or not. */
  public static PrefixIndex of(Collection<Ipv4Prefix> prefixes) {
    return known(prefixes.stream().mapToLong(PrefixIndex::key).sorted().distinct().toArray());
  }

  private static PrefixIndex known(long[] keys) {
    PrefixIndex index = new PrefixIndex(keys);
    WeakReference<PrefixIndex> same =
        KNOWN.computeIfAbsent(index, absent -> new WeakReference<>(index));
    PrefixIndex earlier = same.get();
    return earlier == null ? index : earlier;
  }

  /** The same with more prefixes. */
  PrefixIndex with(Collection<Ipv4Prefix> more) {
    long[] all = Arrays.copyOf(keys, keys.length + more.size());
    int count = keys.length;
    for (Ipv4Prefix prefix : more) {
      all[count++] = key(prefix);
    }
    return known(Arrays.stream(all).sorted().distinct().toArray());
  }

  /** The latest pages of rules for these prefixes. */
  RulePages pages() {
    return pages;
  }

  /** How many prefixes there are. */
  public int size() {
    return keys.length;
  }

  /** The number of a prefix, or -1 if it is not one of them. O(log size). */
  public int indexOf(Ipv4Prefix prefix) {
    int found = Arrays.binarySearch(keys, key(prefix));
    return found < 0 ? -1 : found;
  }

  /** The number of the first prefix that is another one or inside it; O(log size). */
  int firstIn(Ipv4Prefix outer) {
    return countBelow(key(outer));
  }

  /** One more than the number of the last prefix that is another one or inside it. */
  int endIn(Ipv4Prefix outer) {
    return countBelow(key(outer.address() | ~outer.mask(), Integer.SIZE) + 1);
  }

  private int countBelow(long key) {
    int found = Arrays.binarySearch(keys, key);
    return found < 0 ? -found - 1 : found;
  }

  private static long key(Ipv4Prefix prefix) {
    return key(prefix.address(), prefix.length());
  }

  /** Whether any of the prefixes has this length. */
  boolean hasLength(int length) {
    return (lengths >>> length & 1) != 0;
  }

  private static long key(int address, int length) {
    return Integer.toUnsignedLong(address) << 6 | length;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof PrefixIndex && Arrays.equals(((PrefixIndex) other).keys, keys));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(keys);
  }
}
