package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * A network whose links are closed cut by cut, in doubles: a closed link carries what its cut gives
 * it, which its ends send or take no more. Cuts are taken back in the reverse order, exactly.
 * Nothing is allocated after the start but by growing lists.
 *
 * <p>Arc 2l is link l in its direction, arc 2l+1 the same against it.
 */
final class OpenNetwork {
  /** What is left of a supply is rounding if it is less than this part of all that was added. */
  private static final double ROUNDING = 1e-12;

  /** The state of a node that a cut changes. */
  private static final int STATES = 7;

  final int nodes;
  final int[] from;
  final int[] to;

  /** The node that each arc enters. */
  final int[] head;

  /** The capacity of each arc. */
  final double[] capacity;

  /**
   * The open arcs out of node n, from {@code first[n]} to before {@code end[n]} in {@code arcAt}.
   */
  final int[] first;

  final int[] end;
  final int[] arcAt;
  final boolean[] closed;

  /** Where each arc is in {@code arcAt}: behind the open ones, the first one closed last. */
  private final int[] placeOf;

  /** What each node still sends, negative for what it takes. */
  final double[] supply;

  /** The capacity of open links out of each node, and into it. */
  final double[] out;

  final double[] in;

  /** The least ratio of the cuts that closed links at each node, and its cut; -1 if none did. */
  final double[] bound;

  final int[] boundCut;

  /** What has been added to each supply and taken from it, all together. */
  final double[] moved;

  /** The ratio of each node alone, 0 if it neither sends nor takes anything any more. */
  final double[] ratio;

  private final IntList members = new IntList();
  private final IntList links = new IntList();
  private final IntList memberStart = new IntList();
  private final IntList linkStart = new IntList();
  private final IntList signs = new IntList();

  /** The nodes that cuts have changed, with their states before. */
  private final IntList savedNodes = new IntList();

  private final IntList savedStart = new IntList();
  private double[] saved = new double[64 * STATES];
  private final int[] savedBy;

  OpenNetwork(int[] from, int[] to, double[] there, double[] back, double[] supply) {
    nodes = supply.length;
    this.from = from;
    this.to = to;
    this.supply = supply.clone();
    first = new int[nodes + 1];
    end = new int[nodes];
    arcAt = new int[2 * from.length];
    placeOf = new int[arcAt.length];
    head = new int[arcAt.length];
    capacity = new double[arcAt.length];
    closed = new boolean[from.length];
    out = new double[nodes];
    in = new double[nodes];
    moved = new double[nodes];
    ratio = new double[nodes];
    bound = new double[nodes];
    boundCut = new int[nodes];
    savedBy = new int[nodes];
    Arrays.fill(bound, Double.POSITIVE_INFINITY);
    Arrays.fill(boundCut, -1);
    Arrays.fill(savedBy, -1);
    for (int l = 0; l < from.length; l++) {
      first[from[l]]++;
      first[to[l]]++;
      out[from[l]] += there[l];
      in[from[l]] += back[l];
      out[to[l]] += back[l];
      in[to[l]] += there[l];
      head[2 * l] = to[l];
      head[2 * l + 1] = from[l];
      capacity[2 * l] = there[l];
      capacity[2 * l + 1] = back[l];
    }
    for (int n = 0; n < nodes; n++) {
      first[n + 1] += first[n];
      end[n] = first[n];
      moved[n] = Math.abs(supply[n]);
      ratio[n] = nodeRatio(n);
    }
    for (int arc = arcAt.length - 1; arc >= 0; arc--) {
      place(arc, --first[head[arc ^ 1]]);
    }
  }

  private void place(int arc, int place) {
    arcAt[place] = arc;
    placeOf[arc] = place;
  }

  private double nodeRatio(int n) {
    if (supply[n] == 0 || Math.abs(supply[n]) <= ROUNDING * moved[n]) {
      return 0;
    }
    return supply[n] > 0 ? supply[n] / out[n] : -supply[n] / in[n];
  }

  /**
   * The ratio of a set: infinite if it cannot send what it has, the least if it has nothing.
   *
   * @param sent what it sends or takes
   * @param magnitude what has been added to and taken from its nodes, all together
   * @param capacity of the links by which it does
   */
  static double ratio(double sent, double magnitude, double capacity) {
    if (!(sent > ROUNDING * magnitude)) {
      return Double.NEGATIVE_INFINITY;
    }
    return capacity > 0 ? sent / capacity : Double.POSITIVE_INFINITY;
  }

  /** How many cuts there are. */
  int cuts() {
    return signs.size();
  }

  /** 1 if a cut's set sends, -1 if it takes. */
  int sign(int cut) {
    return signs.get(cut);
  }

  int memberBegin(int cut) {
    return memberStart.get(cut);
  }

  int memberEnd(int cut) {
    return cut + 1 < cuts() ? memberStart.get(cut + 1) : members.size();
  }

  /** The i-th of all cuts' members. */
  int member(int i) {
    return members.get(i);
  }

  int linkBegin(int cut) {
    return linkStart.get(cut);
  }

  int linkEnd(int cut) {
    return cut + 1 < cuts() ? linkStart.get(cut + 1) : links.size();
  }

  /** The i-th of all links that cuts closed. */
  int link(int i) {
    return links.get(i);
  }

  /**
   * Closes the open links between a set of nodes and all others: those out of it carry {@code
   * ratio} times their capacity, those into it nothing; the other way around for one that takes.
   */
  void close(int[] set, int size, boolean[] isMember, int sign, double ratio) {
    int cut = cuts();
    signs.add(sign);
    memberStart.add(members.size());
    linkStart.add(links.size());
    savedStart.add(savedNodes.size());
    for (int i = 0; i < size; i++) {
      int n = set[i];
      members.add(n);
      // From the end on: closing an arc moves the last one into its place.
      for (int k = end[n] - 1; k >= first[n]; k--) {
        int arc = arcAt[k];
        int other = head[arc];
        if (!isMember[other]) {
          save(n, cut);
          save(other, cut);
          double outward = capacity[arc];
          double inward = capacity[arc ^ 1];
          double flow = ratio * (sign > 0 ? outward : -inward);
          closed[arc >> 1] = true;
          links.add(arc >> 1);
          remove(arc, n);
          remove(arc ^ 1, other);
          change(n, -flow, outward, inward, ratio, cut);
          change(other, flow, inward, outward, ratio, cut);
        }
      }
    }
    for (int i = savedStart.get(cut); i < savedNodes.size(); i++) {
      int n = savedNodes.get(i);
      this.ratio[n] = nodeRatio(n);
    }
  }

  /** Puts an arc behind the open ones out of its node. */
  private void remove(int arc, int n) {
    int last = arcAt[--end[n]];
    int place = placeOf[arc];
    place(arc, end[n]);
    place(last, place);
  }

  private void change(int n, double more, double outward, double inward, double ratio, int cut) {
    supply[n] += more;
    moved[n] += Math.abs(more);
    out[n] -= outward;
    in[n] -= inward;
    if (ratio < bound[n]) {
      bound[n] = ratio;
      boundCut[n] = cut;
    }
  }

  private void save(int n, int cut) {
    if (savedBy[n] == cut) {
      return;
    }
    savedBy[n] = cut;
    int at = STATES * savedNodes.size();
    savedNodes.add(n);
    if (at == saved.length) {
      saved = Arrays.copyOf(saved, 2 * at);
    }
    saved[at] = supply[n];
    saved[at + 1] = moved[n];
    saved[at + 2] = out[n];
    saved[at + 3] = in[n];
    saved[at + 4] = bound[n];
    saved[at + 5] = boundCut[n];
    saved[at + 6] = ratio[n];
  }

  /** Takes the latest cut back. */
  void reopen() {
    int cut = cuts() - 1;
    for (int i = linkBegin(cut); i < links.size(); i++) {
      int l = links.get(i);
      closed[l] = false;
      end[from[l]]++;
      end[to[l]]++;
    }
    for (int i = savedStart.get(cut); i < savedNodes.size(); i++) {
      int n = savedNodes.get(i);
      int at = STATES * i;
      supply[n] = saved[at];
      moved[n] = saved[at + 1];
      out[n] = saved[at + 2];
      in[n] = saved[at + 3];
      bound[n] = saved[at + 4];
      boundCut[n] = (int) saved[at + 5];
      ratio[n] = saved[at + 6];
      savedBy[n] = -1;
    }
    links.shorten(linkStart.get(cut));
    members.shorten(memberStart.get(cut));
    savedNodes.shorten(savedStart.get(cut));
    for (IntList list : new IntList[] {signs, memberStart, linkStart, savedStart}) {
      list.shorten(cut);
    }
  }
}
