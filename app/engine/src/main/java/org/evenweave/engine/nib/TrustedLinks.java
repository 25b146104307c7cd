package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Links that carry traffic although no probe has passed them yet: since a switch at an end of them
 * reconnects, or since installed rules use them when the engine starts. Each is trusted until
 * probes confirm it, or do not pass it although they could, or one of its ports goes down.
 */
final class TrustedLinks {
  /** Rounds of probes that may pass without one on a link, when its ends are there to see it. */
  static final int ROUNDS_TO_LOSS = 4;

  private final Map<SwitchPort, SwitchPort> peerOf = new TreeMap<>();
  private final Map<LinkNumbering.Link, Integer> silentRounds = new TreeMap<>();

  void add(SwitchPort end, SwitchPort peer) {
    peerOf.put(end, peer);
    peerOf.put(peer, end);
    silentRounds.put(new LinkNumbering.Link(end, peer), 0);
  }

  /** The other end of the trusted link at this end, or null. */
  SwitchPort peerOf(SwitchPort end) {
    return peerOf.get(end);
  }

  boolean contains(SwitchPort end, SwitchPort peer) {
    return peer.equals(peerOf.get(end));
  }

  /** Returns whether there was such a link at this end. */
  boolean remove(SwitchPort end) {
    SwitchPort peer = peerOf.remove(end);
    if (peer != null) {
      peerOf.remove(peer);
      silentRounds.remove(new LinkNumbering.Link(end, peer));
    }
    return peer != null;
  }

  /** All of them, in order. */
  List<LinkNumbering.Link> links() {
    return new ArrayList<>(silentRounds.keySet());
  }

  /**
   * A round of probes has been sent.
   *
   * @param probed whether probes of this round and the one before were sent at both ends of a link
   * @param counts whether the round counts at both ends of a link, which else may have stood still
   * @return the links that have been silent too long; they are not trusted any more
   */
  List<LinkNumbering.Link> roundPassed(
      Predicate<LinkNumbering.Link> probed, Predicate<LinkNumbering.Link> counts) {
    List<LinkNumbering.Link> lost = new ArrayList<>();
    for (Iterator<Map.Entry<LinkNumbering.Link, Integer>> all = silentRounds.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<LinkNumbering.Link, Integer> entry = all.next();
      int silent = entry.getValue() + (counts.test(entry.getKey()) ? 1 : 0);
      int rounds = probed.test(entry.getKey()) ? silent : 0;
      entry.setValue(rounds);
      if (rounds >= ROUNDS_TO_LOSS) {
        lost.add(entry.getKey());
      }
    }
    lost.forEach(link -> remove(link.a));
    return lost;
  }
}
