package org.evenweave.standalone.tools;

import java.io.IOException;

/** Answers plain lines without a tree of them; the answer is the one that the tree would get. */
interface PlainResult {
  /** Leaves all lines to others. */
  PlainResult NONE = (line, answer) -> false;

  /**
   * @param answer gets the answer
   * @return whether it did; if not, or if it throws a RuntimeException, someone else has to, and to
   *     say what is wrong
   */
  boolean answer(PlainLine line, ResultBuffer answer) throws IOException;
}
