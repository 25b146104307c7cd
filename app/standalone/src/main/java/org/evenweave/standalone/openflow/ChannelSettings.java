package org.evenweave.standalone.openflow;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.evenweave.tls.Strangers;

/** Settings shared by the channels of all switches. */
final class ChannelSettings {
  /**
   * How many connections may be open that have not become a switch's. All switches of a fabric may
   * connect at once.
   */
  static final int MAX_UNPROVEN = 1024;

  /** The id of a switch by its datapath id. */
  final LongFunction<String> switchIdOf;

  /** How long a switch may take for the handshake, for an echo, for any request. */
  final Duration timeout;

  /** Runs what hangs on futures. */
  final Executor callbacks;

  final SwitchEvents events;
  final MasterRule masterRule;
  final Datapaths datapaths;

  /** Null if switches connect without. */
  final SwitchTls tls;

  final ClosingLog closings = new ClosingLog();

  final Strangers strangers = new Strangers("openflow-tls", MAX_UNPROVEN);

  ChannelSettings(
      LongFunction<String> switchIdOf,
      Duration timeout,
      Executor callbacks,
      SwitchEvents events,
      MasterRule masterRule,
      SwitchTls tls) {
    this.tls = tls;
    this.switchIdOf = switchIdOf;
    this.timeout = timeout;
    this.callbacks = callbacks;
    this.events = events;
    this.masterRule = masterRule;
    datapaths = new Datapaths(events, timeout);
  }
}
