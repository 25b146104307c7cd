package org.evenweave.bench.figure312;

/** A sentence of the paper about the figure, and what this figure shows about it. */
final class Claim {
  final String paper;
  final String here;
  final boolean holds;

  Claim(String paper, String here, boolean holds) {
    this.paper = paper;
    this.here = here;
    this.holds = holds;
  }
}
