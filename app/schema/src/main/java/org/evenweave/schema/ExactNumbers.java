package org.evenweave.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;

/**
 * Reads the numbers of JSON exactly, whatever their notation: 1.05 is 105/100, and 1e3 and 1000.0
 * are the whole number 1000, as JSON Schema has it. For a mapper that reads decimals as {@link
 * BigDecimal}.
 */
public final class ExactNumbers extends JsonNodeFactory {
  /** As many as {@code Ratio} of the weights takes. */
  public static final int MOST_DIGITS = 400;

  private static final long serialVersionUID = 1;

  public ExactNumbers() {
    super(true);
  }

  /**
   * @throws ArithmeticException if the number has more digits or a larger exponent than {@value
   *     #MOST_DIGITS}: a whole number takes as much memory as its exponent says
   */
  @Override
  public ValueNode numberNode(BigDecimal decimal) {
    if (decimal.precision() > MOST_DIGITS || Math.abs((long) decimal.scale()) > MOST_DIGITS) {
      throw new ArithmeticException();
    }
    BigDecimal stripped = decimal.stripTrailingZeros();
    return stripped.scale() <= 0
        ? numberNode(stripped.toBigIntegerExact())
        : super.numberNode(decimal);
  }
}
