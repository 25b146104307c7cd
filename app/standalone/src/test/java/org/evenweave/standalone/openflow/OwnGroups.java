package org.evenweave.standalone.openflow;

/** Group ids that are Evenweave's. */
final class OwnGroups {
  private OwnGroups() {}

  /** The nth, from 1. */
  static int id(int n) {
    return OpenFlow13.FIRST_GROUP - 1 + n;
  }
}
