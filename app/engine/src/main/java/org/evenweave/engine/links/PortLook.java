package org.evenweave.engine.links;

import org.evenweave.engine.port.PortCounters;

/** A port's counters, read at an unknown moment between a request and its answer. Immutable. */
final class PortLook {
  final PortCounters counters;
  final long askedAtNanos;
  final long answeredAtNanos;

  PortLook(PortCounters counters, long askedAtNanos, long answeredAtNanos) {
    this.counters = counters;
    this.askedAtNanos = askedAtNanos;
    this.answeredAtNanos = answeredAtNanos;
  }
}
