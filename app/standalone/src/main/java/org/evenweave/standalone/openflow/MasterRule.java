package org.evenweave.standalone.openflow;

/** When this controller claims to be a switch's master (OpenFlow 1.3.5, section 6.3.6). */
public enum MasterRule {
  /**
   * When it connects, and again each time another controller has become master: at once the first
   * time, then after a pause that doubles.
   */
  CLAIM,

  /** Only while no controller has ever been master, as far as the switch says. */
  STANDBY
}
