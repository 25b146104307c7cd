package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tight loop, as in REACToR (Tewari 2015, sections 4.7.1 and 5.4.1): a thread that does nothing
 * else starts each queue when its day begins, and stops it when the day is over.
 *
 * <p>A START says when it ends by itself, so that a lost STOP sends no packet into the night.
 *
 * <p>The thread is the only one that starts queues, so whatever happens in a day, it goes on with
 * the next one: what is started closes by itself at the end of its day. Only {@link #close} ends
 * it.
 */
final class TightCoupling implements Coupling {
  private static final Logger LOG = LoggerFactory.getLogger(TightCoupling.class);

  private final CommandedWeeks weeks;
  private final FaultLog faults;
  private final Thread commander = new Thread(this::command, "sdd-commander");
  private volatile boolean isClosed;

  TightCoupling(SddConfig config, Sessions sessions) {
    this(config, sessions, new FaultLog(LOG::error, System::nanoTime));
  }

  TightCoupling(SddConfig config, Sessions sessions, FaultLog faults) {
    this.faults = faults;
    this.weeks = new CommandedWeeks(config, sessions, new Waiting(config.clock()), this::report);
    commander.setDaemon(true);
    commander.start();
  }

  @Override
  public boolean announce(Week week, CircuitSession circuitSwitch) {
    return weeks.announce(week, circuitSwitch);
  }

  /** What START came too late for, in the weeks that are over. */
  LateTotals late() {
    return weeks.late();
  }

  private final class Waiting implements CommandClock {
    private final SharedClock clock;
    private final PreciseTimer timer;

    Waiting(SharedClock clock) {
      this.clock = clock;
      this.timer = new PreciseTimer(clock);
    }

    @Override
    public long nowNs() {
      return clock.nowNs();
    }

    @Override
    public void await(long timeNs) throws InterruptedException {
      while (!timer.until(timeNs)) {
        if (isClosed) {
          throw new InterruptedException();
        }
        Thread.interrupted();
      }
    }
  }

  private void command() {
    while (!isClosed) {
      try {
        weeks.carryOutNext();
      } catch (InterruptedException e) {
        // By close(), which the loop's condition tells; if by anybody else, it means nothing.
        Thread.interrupted();
      } catch (RuntimeException | Error e) {
        report("the rest of a week is skipped", e);
      }
    }
  }

  /** Logs a fault, unless that is what fails: out of memory, for one, the log may be too. */
  private void report(String consequence, Throwable fault) {
    try {
      faults.report(consequence, fault);
    } catch (RuntimeException | Error e) {
      // The thread goes on anyway.
    }
  }

  @Override
  public void close() {
    isClosed = true;
    commander.interrupt();
    try {
      commander.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
