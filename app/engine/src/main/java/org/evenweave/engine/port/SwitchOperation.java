package org.evenweave.engine.port;

/** One change of one switch's tables. */
public final class SwitchOperation {
  /** What is changed. */
  public enum Kind {
    ADD_GROUP,
    /**
     * Replaces the buckets of a group in place; packets see either the old or the new buckets, and
     * those of a large table the old or the new port of each slot.
     */
    MODIFY_GROUP,
    DELETE_GROUP,
    /** Adds a rule, or replaces the one with the same key in place. */
    PUT_FLOW,
    DELETE_FLOW
  }

  private final Kind kind;
  private final SelectGroup group;
  private final FlowRule flow;
  private final SelectGroup replaced;

  private SwitchOperation(Kind kind, SelectGroup group, FlowRule flow, SelectGroup replaced) {
    this.kind = kind;
    this.group = group;
    this.flow = flow;
    this.replaced = replaced;
  }

  public static SwitchOperation addGroup(SelectGroup group) {
    return new SwitchOperation(Kind.ADD_GROUP, group, null, null);
  }

  /** Modifies a group whatever it was. */
  public static SwitchOperation modifyGroup(SelectGroup group) {
    return modifyGroup(null, group);
  }

  /**
   * @param replaced the group of the same id that the switch holds; in a large table, only slots in
   *     which the two differ are written
   */
  public static SwitchOperation modifyGroup(SelectGroup replaced, SelectGroup group) {
    return new SwitchOperation(Kind.MODIFY_GROUP, group, null, replaced);
  }

  public static SwitchOperation deleteGroup(SelectGroup group) {
    return new SwitchOperation(Kind.DELETE_GROUP, group, null, null);
  }

  public static SwitchOperation putFlow(FlowRule flow) {
    return new SwitchOperation(Kind.PUT_FLOW, null, flow, null);
  }

  public static SwitchOperation deleteFlow(FlowRule flow) {
    return new SwitchOperation(Kind.DELETE_FLOW, null, flow, null);
  }

  public Kind kind() {
    return kind;
  }

  /** The group, of the group operations; otherwise null. */
  public SelectGroup group() {
    return group;
  }

  /** The group that is modified, as it was; null if that is not known, and of other operations. */
  public SelectGroup replaced() {
    return replaced;
  }

  /** The rule, of the flow operations; otherwise null. */
  public FlowRule flow() {
    return flow;
  }

  @Override
  public String toString() {
    return kind + " " + (group != null ? group : flow);
  }
}
