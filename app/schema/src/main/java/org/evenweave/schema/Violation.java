package org.evenweave.schema;

/** A violation of a schema: its place in the value, and the reason. Immutable. */
public final class Violation {
  private final String steps;
  private final String problem;

  private Violation(String steps, String problem) {
    this.steps = steps;
    this.problem = problem;
  }

  /** Of the value itself. */
  static Violation here(String problem) {
    return new Violation("", problem);
  }

  /** The same, seen from the object of which that value is a field. */
  Violation ofField(String name) {
    return new Violation("." + name + steps, problem);
  }

  /** The same, seen from the array of which that value is an element. */
  Violation ofElement(int index) {
    return new Violation("[" + index + "]" + steps, problem);
  }

  /**
   * The value that is wrong, as in {@code links[3].b}.
   *
   * @param root what to call the whole input
   */
  public String path(String root) {
    if (steps.isEmpty()) {
      return root;
    }
    return steps.startsWith(".") ? steps.substring(1) : steps;
  }

  /** What is wrong with it and what would be right. */
  public String problem() {
    return problem;
  }
}
