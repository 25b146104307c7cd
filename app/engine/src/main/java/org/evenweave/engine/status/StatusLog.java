package org.evenweave.engine.status;

import java.util.function.Consumer;
import org.evenweave.engine.runtime.EngineLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each transition between converged and degraded, and each change of the reasons, in one line.
 * After a line nothing more is logged for a hold time, and then only what still differs from it, so
 * that a flapping fabric does not flood the log. Owned by the engine's loop.
 */
final class StatusLog {
  static final long HOLD_NANOS = 10_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(StatusLog.class);

  private final EngineLoop loop;
  private final Consumer<FabricStatus> lines;
  private FabricStatus latest;
  private String logged = "";
  private boolean held;

  StatusLog(EngineLoop loop) {
    this(loop, StatusLog::write);
  }

  /**
   * @param lines gets what is worth a line
   */
  StatusLog(EngineLoop loop, Consumer<FabricStatus> lines) {
    this.loop = loop;
    this.lines = lines;
  }

  /** Takes notice of the status; what is only in progress is not logged. */
  void follow(FabricStatus now) {
    latest = now;
    if (held || now.state() == FabricStatus.State.CONVERGING || now.toString().equals(logged)) {
      return;
    }
    logged = now.toString();
    lines.accept(now);
    held = true;
    loop.schedule(this::release, HOLD_NANOS);
  }

  private static void write(FabricStatus status) {
    if (status.state() == FabricStatus.State.DEGRADED) {
      LOG.warn("{}", status);
    } else {
      LOG.info("{}", status);
    }
  }

  private void release() {
    held = false;
    follow(latest);
  }
}
