package org.evenweave.sdd.policy;

/** Finds the rates of one host's classes. */
interface RateRule {
  /**
   * What each class gets from now on.
   *
   * @param reports with the latest one taken
   * @param elapsedNs since the report before, more than 0
   * @param ratesBps receives each class's rate; 0 for one that has nothing to send
   */
  void rates(ClassReports reports, long elapsedNs, long[] ratesBps);
}
