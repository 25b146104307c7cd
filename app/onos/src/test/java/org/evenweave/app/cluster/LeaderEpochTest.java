package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.store.service.StorageException;

class LeaderEpochTest {
  private final FakeStorage storage = new FakeStorage();
  private long nowNanos;
  private int overtaken;

  private LeaderEpoch term() {
    return new LeaderEpoch(storage, () -> nowNanos, () -> overtaken++);
  }

  @Test
  void aTermLastsUntilTheNextBegins() {
    LeaderEpoch first = term();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertTrue(isConfirmed(first));
    LeaderEpoch second = term();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(isConfirmed(first));
    assertTrue(isConfirmed(second));
  }

  @Test
  void aTermThatIsOverSaysSoOnce() {
    LeaderEpoch first = term();
    term();
    assertFalse(first.hasEnded());
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(isConfirmed(first));
    assertFalse(isConfirmed(first));
    assertTrue(first.hasEnded());
    assertEquals(1, overtaken);
  }

  @Test
  void aTermThatNobodyCanConfirmIsNotOver() {
    LeaderEpoch term = term();
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(isConfirmed(term));
    assertFalse(term.hasEnded());
    assertEquals(0, overtaken);
  }

  @Test
  void aTermIsNotConfirmedByAnInstanceThatIsCutOff() {
    LeaderEpoch term = term();
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(isConfirmed(term));
    storage.answers = true;
    assertTrue(isConfirmed(term));
  }

  @Test
  void aTermThatWasConfirmedIsNotAskedForAgainForAWhile() {
    LeaderEpoch term = term();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertTrue(isConfirmed(term));
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS - 1;
    assertTrue(isConfirmed(term));
    nowNanos += 1;
    assertFalse(isConfirmed(term));
  }

  @Test
  void noTermBeginsWhileTheStoreDoesNotAnswer() {
    storage.answers = false;
    assertThrows(StorageException.class, () -> term());
  }

  private static boolean isConfirmed(LeaderEpoch term) {
    return !term.confirm().isCompletedExceptionally();
  }
}
