package org.evenweave.sdd.condition;

import java.util.Map;

/** Tokens of a condition: host/libsdd's {@code lexer.c}, message by message. */
final class ConditionLexer {
  /** What a token is. */
  enum Token {
    NUMBER,
    NAME,
    AND,
    OR,
    TRUE,
    FALSE,
    COMPARISON,
    SYMBOL,
    END
  }

  private static final String TOO_LARGE = "the number is larger than 9223372036854775807";
  private static final String BLANKS = " \t\r\n";
  private static final String SYMBOLS = "+-*()[].";

  /** Powers of ten of nanoseconds. */
  private static final Map<String, Integer> UNITS = Map.of("ns", 0, "us", 3, "ms", 6, "s", 9);

  private static final String[] PAIRS = {"<=", ">=", "!=", "==", "&&", "||"};

  private final String text;
  private int position;
  private Token token;
  private int start;
  private long number;

  ConditionLexer(String text) {
    this.text = text;
  }

  Token token() {
    return token;
  }

  /** Where the token starts. */
  int start() {
    return start;
  }

  /** Where what comes behind the token starts, blanks included. */
  int end() {
    return position;
  }

  /** The value of a {@code NUMBER}. */
  long number() {
    return number;
  }

  /** The token as it is written. */
  String word() {
    return text.substring(start, position);
  }

  boolean isSymbol(char symbol) {
    return token == Token.SYMBOL && text.charAt(start) == symbol;
  }

  ConditionException error(String message) {
    return new ConditionException(start, message);
  }

  /** Goes to the next token. */
  void next() throws ConditionException {
    while (position < text.length() && BLANKS.indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    start = position;
    if (position == text.length()) {
      token = Token.END;
    } else if (isDigit(peek())) {
      readNumber();
    } else if (isLetter(peek())) {
      readName();
    } else {
      readPunctuation();
    }
  }

  /**
   * The text up to the next {@code ]}, without blanks at its ends; the token after it is that.
   *
   * @throws ConditionException if there is none
   */
  String bracketed() throws ConditionException {
    int close = text.indexOf(']', position);
    String name = text.substring(position, close < 0 ? text.length() : close).strip();
    start = position;
    position = close < 0 ? text.length() : close;
    next();
    return name;
  }

  private char peek() {
    return position < text.length() ? text.charAt(position) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /** digits [ "." digits ] [ unit ]; a fraction must come to whole nanoseconds. */
  private void readNumber() throws ConditionException {
    token = Token.NUMBER;
    number = 0;
    int fractionDigits = 0;
    while (isDigit(peek())) {
      append(text.charAt(position++) - '0');
    }
    if (peek() == '.') {
      position++;
      if (!isDigit(peek())) {
        throw error("a digit must follow the decimal point");
      }
      for (; isDigit(peek()); fractionDigits++) {
        append(text.charAt(position++) - '0');
      }
    }
    int exponent = unitExponent();
    if (exponent < 0 && isLetter(peek())) {
      throw error("the unit of a number is ns, us, ms or s");
    }
    if (fractionDigits > Math.max(0, exponent)) {
      throw error("a number is whole, or with a unit a whole number of nanoseconds");
    }
    for (int i = fractionDigits; i < exponent; i++) {
      append(0);
    }
  }

  private void append(int digit) throws ConditionException {
    try {
      number = Math.addExact(Math.multiplyExact(number, 10), digit);
    } catch (ArithmeticException e) {
      throw error(TOO_LARGE);
    }
  }

  /** Of the unit that stands here, which is then behind; or -1. */
  private int unitExponent() {
    int end = position;
    while (end < text.length() && (isLetter(text.charAt(end)) || isDigit(text.charAt(end)))) {
      end++;
    }
    Integer exponent = UNITS.get(text.substring(position, end));
    if (exponent == null) {
      return -1;
    }
    position = end;
    return exponent;
  }

  private void readName() {
    while (isLetter(peek()) || isDigit(peek())) {
      position++;
    }
    switch (word()) {
      case "AND":
        token = Token.AND;
        break;
      case "OR":
        token = Token.OR;
        break;
      case "TRUE":
        token = Token.TRUE;
        break;
      case "FALSE":
        token = Token.FALSE;
        break;
      default:
        token = Token.NAME;
    }
  }

  private void readPunctuation() throws ConditionException {
    for (String pair : PAIRS) {
      if (text.startsWith(pair, position)) {
        position += pair.length();
        token = pair.equals("&&") ? Token.AND : pair.equals("||") ? Token.OR : Token.COMPARISON;
        return;
      }
    }
    if ("<>=".indexOf(peek()) >= 0) {
      token = Token.COMPARISON;
    } else if (SYMBOLS.indexOf(peek()) >= 0) {
      token = Token.SYMBOL;
    } else {
      throw error("no token of a condition begins with this character");
    }
    position++;
  }
}
