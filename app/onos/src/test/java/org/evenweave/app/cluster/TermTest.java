package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.store.service.StorageException;

class TermTest {
  private final FakeStorage storage = new FakeStorage();
  private long nowNanos;
  private int overtaken;

  private Term term() {
    return new Term(storage, () -> nowNanos, () -> overtaken++);
  }

  @Test
  void aTermLastsUntilTheNextBegins() {
    Term first = term();
    nowNanos += Term.LEASE_NANOS;
    assertTrue(isConfirmed(first));
    Term second = term();
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(first));
    assertTrue(isConfirmed(second));
  }

  @Test
  void aTermThatIsOverSaysSoOnce() {
    Term first = term();
    term();
    assertFalse(first.isOver());
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(first));
    assertFalse(isConfirmed(first));
    assertTrue(first.isOver());
    assertEquals(1, overtaken);
  }

  @Test
  void aTermThatNobodyCanConfirmIsNotOver() {
    Term term = term();
    storage.answers = false;
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(term));
    assertFalse(term.isOver());
    assertEquals(0, overtaken);
  }

  @Test
  void aTermIsNotConfirmedByAnInstanceThatIsCutOff() {
    Term term = term();
    storage.answers = false;
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(term));
    storage.answers = true;
    assertTrue(isConfirmed(term));
  }

  @Test
  void aTermThatWasConfirmedIsNotAskedForAgainForAWhile() {
    Term term = term();
    nowNanos += Term.LEASE_NANOS;
    assertTrue(isConfirmed(term));
    storage.answers = false;
    nowNanos += Term.LEASE_NANOS - 1;
    assertTrue(isConfirmed(term));
    nowNanos += 1;
    assertFalse(isConfirmed(term));
  }

  @Test
  void noTermBeginsWhileTheStoreDoesNotAnswer() {
    storage.answers = false;
    assertThrows(StorageException.class, () -> term());
  }

  private static boolean isConfirmed(Term term) {
    return !term.confirm().isCompletedExceptionally();
  }
}
