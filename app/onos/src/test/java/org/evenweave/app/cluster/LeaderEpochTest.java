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

  private LeaderEpoch epoch() {
    return new LeaderEpoch(storage, () -> nowNanos, () -> overtaken++);
  }

  @Test
  void aTermLastsUntilTheNextBegins() {
    LeaderEpoch first = epoch();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertTrue(first.isConfirmed());
    LeaderEpoch second = epoch();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(first.isConfirmed());
    assertTrue(second.isConfirmed());
  }

  @Test
  void aTermThatIsOverSaysSoOnce() {
    LeaderEpoch first = epoch();
    epoch();
    assertFalse(first.hasEnded());
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(first.isConfirmed());
    assertFalse(first.isConfirmed());
    assertTrue(first.hasEnded());
    assertEquals(1, overtaken);
  }

  @Test
  void aTermThatNobodyCanConfirmIsNotOver() {
    LeaderEpoch epoch = epoch();
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(epoch.isConfirmed());
    assertFalse(epoch.hasEnded());
    assertEquals(0, overtaken);
  }

  @Test
  void aTermIsNotConfirmedByAnInstanceThatIsCutOff() {
    LeaderEpoch epoch = epoch();
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertFalse(epoch.isConfirmed());
    storage.answers = true;
    assertTrue(epoch.isConfirmed());
  }

  @Test
  void aConfirmationIsCachedForTheLease() {
    LeaderEpoch epoch = epoch();
    nowNanos += LeaderEpoch.LEASE_NANOS;
    assertTrue(epoch.isConfirmed());
    storage.answers = false;
    nowNanos += LeaderEpoch.LEASE_NANOS - 1;
    assertTrue(epoch.isConfirmed());
    nowNanos += 1;
    assertFalse(epoch.isConfirmed());
  }

  @Test
  void noEpochBeginsWhileTheStoreDoesNotRespond() {
    storage.answers = false;
    assertThrows(StorageException.class, () -> epoch());
  }
}
