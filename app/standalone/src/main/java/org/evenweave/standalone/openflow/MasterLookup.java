package org.evenweave.standalone.openflow;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Finds the other controller that is a switch's master by sources other than OpenFlow, which does
 * not tell. Repeated for as long as there is one. Belongs to the thread that orders topology
 * events; databases are queried on threads that may block.
 */
final class MasterLookup {
  /** Open vSwitch brings its database up to date every 5 s. */
  private static final long PERIOD_SECONDS = 6;

  /** So often in a row no master is found before there is none: the database may be behind. */
  private static final int ABSENCES = 2;

  private final ScheduledExecutorService events;
  private final Executor mayWait;
  private final Predicate<SwitchConnection> isBarred;
  private final BiConsumer<SwitchConnection, String> found;
  private volatile LongFunction<Optional<String>> source = datapathId -> Optional.empty();

  /**
   * @param isBarred whether a switch still has another master, as far as it says itself
   * @param found gets the address of the master of a switch
   */
  MasterLookup(
      ScheduledExecutorService events,
      Executor mayWait,
      Predicate<SwitchConnection> isBarred,
      BiConsumer<SwitchConnection, String> found) {
    this.events = events;
    this.mayWait = mayWait;
    this.isBarred = isBarred;
    this.found = found;
  }

  /**
   * @param newSource the address of the master of a switch by its datapath id; an empty text if it
   *     has none, nothing if that is not known; may take long
   */
  void use(LongFunction<Optional<String>> newSource) {
    source = newSource;
  }

  /** The switch has another master from now on. */
  void start(SwitchConnection connection) {
    next(connection, 0);
  }

  private void next(SwitchConnection connection, int absences) {
    events.schedule(() -> ask(connection, absences), PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void ask(SwitchConnection connection, int absences) {
    if (isBarred.test(connection)) {
      mayWait.execute(
          () -> {
            Optional<String> master = source.apply(connection.datapathId());
            events.execute(() -> answered(connection, master, absences));
          });
    }
  }

  private void answered(SwitchConnection connection, Optional<String> master, int absences) {
    if (!isBarred.test(connection)) {
      return;
    }
    int newAbsences = master.filter(String::isEmpty).isPresent() ? absences + 1 : 0;
    master.filter(address -> !address.isEmpty()).ifPresent(is -> found.accept(connection, is));
    if (newAbsences == ABSENCES) {
      connection.otherMasterIsGone();
      newAbsences = 0;
    }
    next(connection, newAbsences);
  }
}
