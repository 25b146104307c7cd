package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.store.service.StorageException;

class TermTest {
  private final FakeStorage storage = new FakeStorage();
  private long nowNanos;

  @Test
  void aTermLastsUntilTheNextBegins() {
    Term first = new Term(storage, () -> nowNanos);
    nowNanos += Term.LEASE_NANOS;
    assertTrue(isConfirmed(first));
    Term second = new Term(storage, () -> nowNanos);
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(first));
    assertTrue(isConfirmed(second));
  }

  @Test
  void aTermIsNotConfirmedByAnInstanceThatIsCutOff() {
    Term term = new Term(storage, () -> nowNanos);
    storage.answers = false;
    nowNanos += Term.LEASE_NANOS;
    assertFalse(isConfirmed(term));
    storage.answers = true;
    assertTrue(isConfirmed(term));
  }

  @Test
  void aTermThatWasConfirmedIsNotAskedForAgainForAWhile() {
    Term term = new Term(storage, () -> nowNanos);
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
    assertThrows(StorageException.class, () -> new Term(storage, () -> nowNanos));
  }

  private static boolean isConfirmed(Term term) {
    return !term.confirm().isCompletedExceptionally();
  }
}
