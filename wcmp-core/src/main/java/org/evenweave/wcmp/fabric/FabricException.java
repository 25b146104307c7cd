package org.evenweave.wcmp.fabric;

/**
 * A description of a fabric that cannot be one; the message names the field and what is wrong with
 * it.
 */
public class FabricException extends IllegalArgumentException {
  private final String path;
  private final String problem;

  /**
   * @param path the offending field, as in {@code links[3].b}
   * @param problem what is wrong and what would be right
   */
  public FabricException(String path, String problem) {
    super(path + ": " + problem);
    this.path = path;
    this.problem = problem;
  }

  /** The offending field, as in {@code links[3].b}. */
  public String path() {
    return path;
  }

  /** What is wrong and what would be right. */
  public String problem() {
    return problem;
  }
}
