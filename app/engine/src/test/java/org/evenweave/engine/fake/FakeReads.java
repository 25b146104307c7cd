package org.evenweave.engine.fake;

import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;

/** Reads the tables of fake switches, which may take a while. */
final class FakeReads {
  private final VirtualLoop loop;
  private long lookNanos;
  private long answerNanos;

  FakeReads(VirtualLoop loop) {
    this.loop = loop;
  }

  void delay(long newLookNanos, long newAnswerNanos) {
    lookNanos = newLookNanos;
    answerNanos = newAnswerNanos;
  }

  void read(String switchId, FakeSwitch target, CompletableFuture<SwitchTables> done) {
    if (target.failingReads > 0) {
      target.failingReads--;
      done.completeExceptionally(new SouthboundException(switchId, "no answer in time"));
    } else if (target.connected) {
      loop.schedule(() -> look(target, done), lookNanos);
    } else {
      done.completeExceptionally(new SouthboundException(switchId, "is not connected"));
    }
  }

  private void look(FakeSwitch target, CompletableFuture<SwitchTables> done) {
    SwitchTables now = target.tables;
    loop.schedule(() -> done.complete(now), answerNanos);
  }
}
