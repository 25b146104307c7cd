package org.evenweave.standalone.openflow;

/** When this controller claims to be a switch's master (OpenFlow 1.3.5, section 6.3.6). */
public enum MasterRule {
  /**
   * When it connects, and again each time another controller has become master: at once the first
   * time, then after a pause that doubles.
   */
  CLAIM,

  /**
   * Only if no other controller is master: the switch says that none ever was, or its OVSDB server
   * that none is now.
   */
  STANDBY
}
