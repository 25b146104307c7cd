package org.evenweave.sdd.condition;

import java.util.LinkedHashMap;
import java.util.Map;

/** A sum of variables, each with a factor, and a constant; or a condition. */
final class Sum {
  private static final int MAX_VARIABLES = 8;
  private static final long MAX_COEFFICIENT = Integer.MAX_VALUE;
  private static final String OVERFLOW = "a number in this sum does not fit 64 bits";

  /** Where it starts in the text. */
  int start;

  boolean isCondition;
  long constant;

  /** By variable with its queue. */
  final Map<String, Long> coefficients = new LinkedHashMap<>();

  Sum(int start) {
    this.start = start;
  }

  /**
   * Adds a multiple of another.
   *
   * @param position of what asks for it, for errors
   */
  void add(int position, long factor, Sum other) throws ConditionException {
    try {
      constant = Math.addExact(constant, Math.multiplyExact(factor, other.constant));
      for (Map.Entry<String, Long> term : other.coefficients.entrySet()) {
        if (coefficients.size() == MAX_VARIABLES && !coefficients.containsKey(term.getKey())) {
          throw new ConditionException(position, "a comparison has at most 8 variables");
        }
        long product = Math.multiplyExact(factor, term.getValue());
        coefficients.merge(term.getKey(), product, Math::addExact);
      }
    } catch (ArithmeticException e) {
      throw new ConditionException(position, OVERFLOW);
    }
  }

  /**
   * How many variables it has once it is compared with 0, the constant on the other side.
   *
   * @throws ConditionException if a number is too large for that
   */
  int variables(int position) throws ConditionException {
    if (constant == Long.MIN_VALUE) {
      throw new ConditionException(
          position, "the constant of this comparison does not fit 64 bits");
    }
    int variables = 0;
    for (long coefficient : coefficients.values()) {
      if (coefficient > MAX_COEFFICIENT || coefficient < -MAX_COEFFICIENT) {
        throw new ConditionException(position, "a coefficient is larger than 2147483647");
      }
      variables += coefficient == 0 ? 0 : 1;
    }
    return variables;
  }
}
