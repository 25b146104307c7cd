package org.evenweave.wcmp.weights;

/** Candidates to replace two sets of which the later has a higher ratio. */
enum SetChoice {
  LATER(false, true, true),
  BOTH(true, true, true),
  EARLIER_ALONE(true, false, false),
  LATER_ALONE(false, false, true),
  COMMON(false, true, false);

  final boolean hasEarlier;
  final boolean hasCommon;
  final boolean hasLater;

  SetChoice(boolean hasEarlier, boolean hasCommon, boolean hasLater) {
    this.hasEarlier = hasEarlier;
    this.hasCommon = hasCommon;
    this.hasLater = hasLater;
  }
}
