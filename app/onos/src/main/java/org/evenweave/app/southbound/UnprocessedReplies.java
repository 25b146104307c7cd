package org.evenweave.app.southbound;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Flow statistics replies that have arrived and that ONOS is still processing, on a thread of its
 * own: at the end it may send flow-mods that follow from the switch's state at the time of the
 * reply. Thread-safe.
 */
final class UnprocessedReplies {
  /** ONOS has taken 4.5 s for a reply, at a load of 25 on two cores; one in 30 s is lost. */
  private static final long LOST_SECONDS = 30;

  private final Map<Reply, CompletableFuture<Void>> processing = new ConcurrentHashMap<>();

  private static final class Reply {
    private final Object dpid;
    private final long xid;

    Reply(Object dpid, long xid) {
      this.dpid = dpid;
      this.xid = xid;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Reply
          && ((Reply) other).xid == xid
          && ((Reply) other).dpid.equals(dpid);
    }

    @Override
    public int hashCode() {
      return Objects.hash(dpid, xid);
    }
  }

  /** The last part of a reply has arrived; ONOS may have processed it already. */
  void arrived(Object dpid, long xid) {
    toggle(new Reply(dpid, xid));
  }

  /** ONOS has processed a reply; this may be reported before its arrival, on another thread. */
  void processed(Object dpid, long xid) {
    toggle(new Reply(dpid, xid));
  }

  /** The first of the two events opens an entry, the second closes it. */
  private void toggle(Reply reply) {
    CompletableFuture<Void> opened = new CompletableFuture<>();
    CompletableFuture<Void> before = processing.putIfAbsent(reply, opened);
    if (before != null) {
      processing.remove(reply, before);
      before.complete(null);
      return;
    }
    opened
        .completeOnTimeout(null, LOST_SECONDS, TimeUnit.SECONDS)
        .thenRun(() -> processing.remove(reply, opened));
  }

  /** Completes when ONOS has processed all replies of a switch that have arrived so far. */
  CompletableFuture<Void> of(Object dpid) {
    return CompletableFuture.allOf(
        processing.entrySet().stream()
            .filter(entry -> entry.getKey().dpid.equals(dpid))
            .map(Map.Entry::getValue)
            .toArray(CompletableFuture[]::new));
  }
}
