package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.evenweave.app.VirtualExecutor;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.store.service.StorageException;

class LeadershipRenewalTest {
  private static final String TOPIC = "topic";
  private static final long PAUSE_MILLIS = 500;

  private final Store store = new Store();
  private final VirtualExecutor executor = new VirtualExecutor();
  private int renewals;

  private LeadershipRenewal started(ScheduledExecutorService on) {
    LeadershipRenewal candidacy = new LeadershipRenewal(store, TOPIC, () -> renewals++, on);
    candidacy.start(PAUSE_MILLIS);
    return candidacy;
  }

  private void pass(long millis) {
    executor.pass(millis, TimeUnit.MILLISECONDS);
  }

  /** Knows one candidate at most, and forgets it when the test wants. */
  private static final class Store extends LeadershipServiceAdapter {
    private volatile boolean candidate;
    private boolean answers = true;
    private final AtomicInteger wishes = new AtomicInteger();

    @Override
    public Leadership runForLeadership(String path) {
      assertEquals(TOPIC, path);
      wishes.incrementAndGet();
      requireAnswers();
      candidate = true;
      return null;
    }

    @Override
    public void withdraw(String path) {
      assertEquals(TOPIC, path);
      requireAnswers();
      candidate = false;
    }

    private void requireAnswers() {
      if (!answers) {
        throw new StorageException.Unavailable();
      }
    }
  }

  @Test
  void aCandidateThatTheStoreForgetsIsOneAgain() {
    LeadershipRenewal candidacy = started(executor);
    pass(0);
    assertTrue(store.candidate);
    store.candidate = false;
    pass(PAUSE_MILLIS - 1);
    assertFalse(store.candidate);
    pass(1);
    assertTrue(store.candidate);
    assertEquals(2, renewals);
    candidacy.close();
    assertFalse(store.candidate);
  }

  @Test
  void aRenewalIsRetriedWhileTheStoreDoesNotRespond() {
    store.answers = false;
    LeadershipRenewal candidacy = started(executor);
    pass(9 * PAUSE_MILLIS);
    assertEquals(10, store.wishes.get());
    assertEquals(0, renewals);
    store.answers = true;
    pass(PAUSE_MILLIS);
    assertEquals(1, renewals);
    candidacy.close();
    assertFalse(store.candidate);
  }

  /** With a real thread, on which the renewal and then the withdrawal run. */
  @Test
  void aWishUnderWayDoesNotComeAfterTheWithdrawal() throws InterruptedException {
    CountDownLatch underWay = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    LeadershipServiceAdapter slow =
        new LeadershipServiceAdapter() {
          @Override
          public Leadership runForLeadership(String path) {
            underWay.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return store.runForLeadership(path);
          }

          @Override
          public void withdraw(String path) {
            store.withdraw(path);
          }
        };
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    LeadershipRenewal candidacy = new LeadershipRenewal(slow, TOPIC, () -> {}, thread);
    candidacy.start(PAUSE_MILLIS);
    underWay.await();
    Thread closing = new Thread(candidacy::close);
    closing.start();
    released.countDown();
    closing.join();
    assertFalse(store.candidate);
    assertTrue(thread.isTerminated(), "there may be further wishes");
  }

  @Test
  void aStoreThatDoesNotRespondDoesNotBlockClosing() {
    LeadershipRenewal candidacy = started(executor);
    pass(0);
    store.answers = false;
    candidacy.close();
    int wishes = store.wishes.get();
    pass(20 * PAUSE_MILLIS);
    assertEquals(wishes, store.wishes.get());
  }
}
