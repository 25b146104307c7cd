package org.evenweave.wcmp.realisation;

import java.util.Arrays;

/**
 * The assignment of slots to ports in a switch's replicated multipath table (Tewari 2015, Figure
 * 3.3).
 *
 * <p>A table of {@code n} slots sends a packet to the owner of slot {@code hash mod n}. Shares are
 * decided by how many slots each port owns; the <em>layout</em>, which slots those are, decides two
 * further things.
 *
 * <p><b>Churn.</b> A flow changes its path exactly when the owner of its slot changes. A new layout
 * is therefore grown out of the one installed: every port keeps as many of its slots as its new
 * count allows, and only what is over count changes owner. Fewer slots cannot move: a port that
 * grows by k needs k slots that were another's. Where that leaves a choice, it is made as in a
 * layout afresh: a port that fails and comes back, and no other meanwhile, has its own slots again,
 * so that switches that are alike stay so.
 *
 * <p><b>Polarisation.</b> Switches that hash alike see the same slot number for a flow. If two
 * tiers laid out their slots alike, the second would find only some of its own slots in use. A tier
 * that {@link #INTERLEAVED interleaves} its ports (low bits choose) before a tier that keeps them
 * {@link #CONTIGUOUS} (high bits choose) makes the two choices nearly independent.
 */
public enum SlotLayout {
  /** Each port's slots are spread evenly over the table (smooth weighted round robin). */
  INTERLEAVED {
    @Override
    boolean releases(int i, int owned, int surplus) {
      return (long) (i + 1) * surplus / owned > (long) i * surplus / owned;
    }

    @Override
    void fill(int[] slots, int[] ports, int[] missing) {
      int total = Arrays.stream(missing).sum();
      long[] credit = new long[ports.length];
      for (int slot = 0; slot < slots.length; slot++) {
        if (slots[slot] == FREE) {
          int next = 0;
          for (int p = 0; p < ports.length; p++) {
            credit[p] += missing[p];
            if (credit[p] > credit[next]) {
              next = p;
            }
          }
          credit[next] -= total;
          slots[slot] = ports[next];
        }
      }
    }
  },

  /** Each port's slots lie side by side. */
  CONTIGUOUS {
    @Override
    boolean releases(int i, int owned, int surplus) {
      return i >= owned - surplus;
    }

    @Override
    void fill(int[] slots, int[] ports, int[] missing) {
      int p = 0;
      int left = missing[0];
      for (int slot = 0; slot < slots.length; slot++) {
        if (slots[slot] == FREE) {
          while (left == 0) {
            left = missing[++p];
          }
          slots[slot] = ports[p];
          left--;
        }
      }
    }
  };

  private static final int FREE = -1;

  /** Whether a port that owns {@code owned} slots gives up the {@code i}-th of them. */
  abstract boolean releases(int i, int owned, int surplus);

  /** Gives the free slots to the ports; {@code missing} sums to the number of free slots. */
  abstract void fill(int[] slots, int[] ports, int[] missing);

  /**
   * A table in which {@code ports[p]} owns exactly {@code counts[p]} slots.
   *
   * @param installed the owners now, slot by slot; null, or of another length, to lay out afresh
   * @param ports distinct, not negative
   * @param counts not negative, aligned with {@code ports}
   * @return the owner of each slot; its length is the sum of the counts
   */
  public int[] layOut(int[] installed, int[] ports, int[] counts) {
    int size = Arrays.stream(counts).sum();
    int[] fresh = new int[size];
    Arrays.fill(fresh, FREE);
    fill(fresh, ports, counts);
    if (installed == null || installed.length != size) {
      return fresh;
    }
    int[] slots = new int[size];
    Arrays.fill(slots, FREE);
    int[] missing = counts.clone();
    for (int p = 0; p < ports.length; p++) {
      missing[p] -= keep(installed, fresh, ports[p], counts[p], slots);
    }
    for (int p = 0; p < ports.length; p++) {
      for (int slot = 0; slot < size && missing[p] > 0; slot++) {
        if (slots[slot] == FREE && fresh[slot] == ports[p]) {
          slots[slot] = ports[p];
          missing[p]--;
        }
      }
    }
    fill(slots, ports, missing);
    return slots;
  }

  /**
   * Copies what a port may keep of its installed slots, those that it has in a fresh layout first;
   * returns how many those are.
   */
  private int keep(int[] installed, int[] fresh, int port, int count, int[] slots) {
    int own = 0;
    int others = 0;
    for (int slot = 0; slot < installed.length; slot++) {
      if (installed[slot] == port) {
        own += fresh[slot] == port ? 1 : 0;
        others += fresh[slot] == port ? 0 : 1;
      }
    }
    int surplus = Math.max(0, own + others - count);
    int othersSurplus = Math.min(surplus, others);
    int seenOwn = 0;
    int seenOthers = 0;
    for (int slot = 0; slot < installed.length; slot++) {
      if (installed[slot] == port) {
        boolean released =
            fresh[slot] == port
                ? releases(seenOwn++, own, surplus - othersSurplus)
                : releases(seenOthers++, others, othersSurplus);
        slots[slot] = released ? slots[slot] : port;
      }
    }
    return own + others - surplus;
  }
}
