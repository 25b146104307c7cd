package org.evenweave.standalone.openflow;

import java.util.List;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;

/** The foreign entries of a reply, passed on before the rest of the reply. */
final class ForeignPart {
  private final long xid;
  private final List<ForeignRule> rules;
  private final List<ForeignGroup> groups;

  /**
   * @param xid of the reply
   */
  ForeignPart(long xid, List<ForeignRule> rules, List<ForeignGroup> groups) {
    this.xid = xid;
    this.rules = rules;
    this.groups = groups;
  }

  long xid() {
    return xid;
  }

  List<ForeignRule> rules() {
    return rules;
  }

  List<ForeignGroup> groups() {
    return groups;
  }

  boolean isEmpty() {
    return rules.isEmpty() && groups.isEmpty();
  }
}
