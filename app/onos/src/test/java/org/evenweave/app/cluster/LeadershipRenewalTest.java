package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.store.service.StorageException;

class LeadershipRenewalTest {
  private static final String TOPIC = "topic";
  private static final long PAUSE_MILLIS = 1;

  private final Store store = new Store();
  private final Semaphore renewals = new Semaphore(0);
  private final LeadershipRenewal candidacy =
      new LeadershipRenewal(store, TOPIC, renewals::release);

  /** Knows one candidate at most, and forgets it when the test wants. */
  private static final class Store extends LeadershipServiceAdapter {
    private volatile boolean candidate;
    private volatile boolean answers = true;
    private final Semaphore wishes = new Semaphore(0);
    private final CountDownLatch slow = new CountDownLatch(1);
    private volatile boolean isSlow;

    @Override
    public Leadership runForLeadership(String path) {
      assertEquals(TOPIC, path);
      wishes.release();
      if (isSlow) {
        awaitUninterruptibly();
      }
      if (!answers) {
        throw new StorageException.Unavailable();
      }
      candidate = true;
      return null;
    }

    private void awaitUninterruptibly() {
      try {
        assertTrue(slow.await(10, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void withdraw(String path) {
      assertEquals(TOPIC, path);
      if (!answers) {
        throw new StorageException.Unavailable();
      }
      candidate = false;
    }
  }

  private static void await(Semaphore event) throws InterruptedException {
    event.drainPermits();
    // The first may have been under way before.
    assertTrue(event.tryAcquire(2, 10, TimeUnit.SECONDS));
  }

  @Test
  void aCandidateThatTheStoreForgetsIsOneAgain() throws InterruptedException {
    candidacy.start(PAUSE_MILLIS);
    await(renewals);
    assertTrue(store.candidate);
    store.candidate = false;
    await(renewals);
    assertTrue(store.candidate);
    candidacy.close();
  }

  @Test
  void aRenewalIsRetriedWhileTheStoreDoesNotRespond() throws InterruptedException {
    store.answers = false;
    candidacy.start(PAUSE_MILLIS);
    await(store.wishes);
    assertEquals(0, renewals.availablePermits());
    store.answers = true;
    await(renewals);
    candidacy.close();
    assertFalse(store.candidate);
  }

  @Test
  void aWishUnderWayDoesNotComeAfterTheWithdrawal() throws InterruptedException {
    store.isSlow = true;
    candidacy.start(PAUSE_MILLIS);
    assertTrue(store.wishes.tryAcquire(10, TimeUnit.SECONDS));
    Thread closing = new Thread(candidacy::close);
    closing.start();
    store.slow.countDown();
    closing.join();
    assertFalse(store.candidate);
    int wishes = store.wishes.drainPermits();
    Thread.sleep(20 * PAUSE_MILLIS);
    assertEquals(0, store.wishes.drainPermits(), wishes + " before");
  }

  @Test
  void aStoreThatDoesNotRespondDoesNotBlockClosing() throws InterruptedException {
    candidacy.start(PAUSE_MILLIS);
    await(renewals);
    store.answers = false;
    candidacy.close();
    store.wishes.drainPermits();
    Thread.sleep(20 * PAUSE_MILLIS);
    assertEquals(0, store.wishes.drainPermits());
  }
}
