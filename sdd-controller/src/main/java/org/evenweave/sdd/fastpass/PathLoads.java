package org.evenweave.sdd.fastpass;

/** The load of the links between racks and the core by other traffic. */
public interface PathLoads {
  /**
   * Of a path's two links the part that is used of the fuller one: 0 if it is idle, 1 if it is
   * full.
   */
  double of(int fromRack, int toRack, int path);
}
