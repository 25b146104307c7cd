package org.evenweave.standalone.tools;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Reads JSON lines as programs write them by the million, of names without escapes, whole numbers
 * without signs and exponents, and plain decimals. What is written in any other way, or is not
 * JSON, it refuses: {@link Json} and {@link org.evenweave.schema.InputSchema}, which also know what
 * is wrong, have the last word on that.
 *
 * <p>White space is skipped before each token. A method that returns false or a negative number may
 * have read part of a token.
 */
final class PlainLine {
  /** Longer lines are not worth a copy of their numbers. */
  private static final int MAX_BYTES = 1 << 20;

  /** As many digits are below 2^63 and 10^18. */
  private static final int MAX_DIGITS = 18;

  private byte[] text;
  private int at;
  private int end;
  private long[] numbers = new long[64];
  private int count;

  /** Value and decimal places of the last decimal. */
  private long unscaled;

  private int scale;

  /** Begins a line; returns whether it is one to try. */
  boolean begin(byte[] text, int offset, int length) {
    this.text = text;
    at = offset;
    end = offset + length;
    return length <= MAX_BYTES;
  }

  /** Takes a bracket, comma or colon if it is next. */
  boolean take(char symbol) {
    skipSpace();
    if (at < end && text[at] == symbol) {
      at++;
      return true;
    }
    return false;
  }

  /** Takes a token if it is next: a literal, or a name in its quotes. */
  boolean take(byte[] token) {
    skipSpace();
    if (end - at < token.length
        || !Arrays.equals(text, at, at + token.length, token, 0, token.length)) {
      return false;
    }
    at += token.length;
    return true;
  }

  /** Whether nothing is left. */
  boolean atEnd() {
    skipSpace();
    return at == end;
  }

  private void skipSpace() {
    while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) {
      at++;
    }
  }

  /** Takes a positive whole number; -1 if there is none. */
  long takeNumber() {
    skipSpace();
    int first = at;
    long value = takeDigits();
    return value > 0 && text[first] != '0' && !goesOn() ? value : -1;
  }

  /** Whether what was taken is but the beginning of a number. */
  private boolean goesOn() {
    return at < end && (text[at] == '.' || text[at] == 'e' || text[at] == 'E');
  }

  private long takeDigits() {
    int last = Math.min(end, at + MAX_DIGITS + 1);
    int first = at;
    long value = 0;
    while (at < last && text[at] >= '0' && text[at] <= '9') {
      value = 10 * value + text[at++] - '0';
    }
    return at > first && at - first <= MAX_DIGITS ? value : -1;
  }

  /** Takes an array of at least one positive whole number, for {@link #numbers}. */
  boolean takeNumbers() {
    count = 0;
    if (!take('[')) {
      return false;
    }
    do {
      long number = takeNumber();
      if (number < 0) {
        return false;
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = number;
    } while (take(','));
    return take(']');
  }

  /** Holds the numbers of the last array first; valid until the next. */
  long[] numbers() {
    return numbers;
  }

  int count() {
    return count;
  }

  /** Takes a decimal of at least 1, for {@link #isDecimal} and {@link #decimal}. */
  boolean takeDecimal() {
    skipSpace();
    int first = at;
    unscaled = takeDigits();
    scale = 0;
    if (unscaled <= 0 || text[first] == '0') {
      return false;
    }
    if (at < end && text[at] == '.') {
      int point = at++;
      long fraction = takeDigits();
      scale = at - point - 1;
      if (fraction < 0 || at - first > MAX_DIGITS) {
        return false;
      }
      for (int i = 0; i < scale; i++) {
        unscaled *= 10;
      }
      unscaled += fraction;
    }
    return !goesOn();
  }

  /** Whether the last decimal is written with these digits. */
  boolean isDecimal(BigDecimal other) {
    return other.scale() == scale
        && other.precision() <= MAX_DIGITS
        && other.unscaledValue().longValue() == unscaled;
  }

  BigDecimal decimal() {
    return BigDecimal.valueOf(unscaled, scale);
  }
}
