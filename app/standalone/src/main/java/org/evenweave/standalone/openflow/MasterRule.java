package org.evenweave.standalone.openflow;

/**
 * The rule by which this controller claims the role of master of a switch (OpenFlow 1.3.5, section
 * 6.3.6).
 */
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
