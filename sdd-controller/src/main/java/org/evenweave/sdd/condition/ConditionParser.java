package org.evenweave.sdd.condition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.evenweave.sdd.condition.ConditionLexer.Token;

/**
 * A recursive descent over the grammar of section 5.3.4, as host/libsdd's {@code parse.c}: it
 * accepts and rejects the same texts, with the error at the same byte and in the same words, and
 * counts the byte code instead of writing it. Only what stands between the brackets of {@code
 * Q[...]} is the caller's.
 */
final class ConditionParser {
  /** As libsdd's SDD_PROGRAM_BYTES, SDD_MAX_LEAVES and SDD_MAX_NESTING. */
  private static final int MAX_BYTES = 254;

  private static final int MAX_LEAVES = 32;
  private static final int MAX_NESTING = 32;

  /** What its byte code has of a comparison, and of each variable in it. */
  private static final int COMPARISON_BYTES = 10;

  private static final int VARIABLE_BYTES = 7;

  private static final Set<String> STATISTICS =
      Set.of(
          "packets",
          "bytes",
          "flows",
          "lastXmitTime",
          "lastRecvTime",
          "sentPackets",
          "sentBytes",
          "receivedPackets",
          "receivedBytes",
          "droppedPackets",
          "lastXmit",
          "lastRecv");

  private static final String TIME = "currTime";

  private final ConditionLexer lexer;
  private final QueueNames names;
  private final List<Condition.Reference> references = new ArrayList<>();
  private int nesting;
  private int leaves;
  private int bytes;

  ConditionParser(String text, QueueNames names) {
    this.lexer = new ConditionLexer(text);
    this.names = names;
  }

  /** The queues that the text names. */
  List<Condition.Reference> parse() throws ConditionException {
    lexer.next();
    Sum value = disjunction();
    requireCondition(value);
    if (lexer.token() != Token.END) {
      throw lexer.error("an operator or the end must stand here");
    }
    return references;
  }

  private Sum disjunction() throws ConditionException {
    Sum value = conjunction();
    while (lexer.token() == Token.OR) {
      int position = lexer.start();
      requireCondition(value);
      lexer.next();
      requireCondition(conjunction());
      write(position, 1);
    }
    return value;
  }

  private Sum conjunction() throws ConditionException {
    Sum value = comparison();
    while (lexer.token() == Token.AND) {
      int position = lexer.start();
      requireCondition(value);
      lexer.next();
      requireCondition(comparison());
      write(position, 1);
    }
    return value;
  }

  private Sum comparison() throws ConditionException {
    Sum value = sum();
    while (lexer.token() == Token.COMPARISON) {
      int position = lexer.start();
      requireSum(value);
      lexer.next();
      Sum right = sum();
      requireSum(right);
      value.add(position, -1, right);
      int variables = value.variables(position);
      writeLeaf(position, variables == 0 ? 1 : COMPARISON_BYTES + VARIABLE_BYTES * variables);
      value.isCondition = true;
    }
    return value;
  }

  private Sum sum() throws ConditionException {
    boolean signed = lexer.isSymbol('+') || lexer.isSymbol('-');
    Sum value = signed ? new Sum(lexer.start()) : product();
    while (lexer.isSymbol('+') || lexer.isSymbol('-')) {
      int factor = lexer.isSymbol('+') ? 1 : -1;
      int position = lexer.start();
      requireSum(value);
      lexer.next();
      Sum right = product();
      requireSum(right);
      value.add(position, factor, right);
    }
    return value;
  }

  private Sum product() throws ConditionException {
    Sum value = primary();
    while (lexer.isSymbol('*')) {
      int position = lexer.start();
      requireSum(value);
      lexer.next();
      Sum right = primary();
      requireSum(right);
      if (!value.coefficients.isEmpty() && !right.coefficients.isEmpty()) {
        throw new ConditionException(position, "one side of \"*\" must be a number");
      }
      Sum result = new Sum(value.start);
      if (right.coefficients.isEmpty()) {
        result.add(position, right.constant, value);
      } else {
        result.add(position, value.constant, right);
      }
      value = result;
    }
    return value;
  }

  private Sum primary() throws ConditionException {
    Sum value = new Sum(lexer.start());
    switch (lexer.token()) {
      case NUMBER:
        value.constant = lexer.number();
        lexer.next();
        return value;
      case NAME:
        variable(value);
        return value;
      case TRUE:
      case FALSE:
        value.isCondition = true;
        writeLeaf(lexer.start(), 1);
        lexer.next();
        return value;
      default:
    }
    if (!lexer.isSymbol('(')) {
      throw lexer.error("a number, a variable, TRUE, FALSE or \"(\" must stand here");
    }
    if (nesting == MAX_NESTING) {
      throw lexer.error("parentheses nest more than 32 deep");
    }
    nesting++;
    lexer.next();
    Sum inner = disjunction();
    inner.start = value.start;
    nesting--;
    expect(')', "\")\" or an operator must stand here");
    return inner;
  }

  /** [ "Q[" queue "]." ] [ "stats." ] statistic */
  private void variable(Sum value) throws ConditionException {
    String queue = "";
    if (lexer.word().equals("Q")) {
      queue = queue();
    }
    if (lexer.word().equals("stats")) {
      lexer.next();
      expect('.', "\".\" must follow \"stats\"");
    }
    String name = lexer.token() == Token.NAME ? lexer.word() : "";
    if (name.equals(TIME) && !queue.isEmpty()) {
      throw lexer.error("currTime belongs to no queue");
    }
    if (!STATISTICS.contains(name) && !name.equals(TIME)) {
      throw lexer.error("no variable has this name");
    }
    // Both names are there in the dissertation.
    String one = name.equals("lastXmit") || name.equals("lastRecv") ? name + "Time" : name;
    value.coefficients.put(queue + "." + one, 1L);
    lexer.next();
    if (name.equals(TIME) && lexer.isSymbol('(')) {
      lexer.next();
      expect(')', "\")\" must follow \"currTime(\"");
    }
  }

  private String queue() throws ConditionException {
    lexer.next();
    if (!lexer.isSymbol('[')) {
      throw lexer.error("\"[\" must follow \"Q\"");
    }
    int start = lexer.end();
    String queue = lexer.bracketed();
    String problem = names.problem(queue);
    if (problem != null) {
      throw new ConditionException(start, problem);
    }
    references.add(new Condition.Reference(start, lexer.start(), queue));
    expect(']', "\"]\" must follow the queue's number");
    expect('.', "\".\" must follow \"]\"");
    return queue;
  }

  private void expect(char symbol, String message) throws ConditionException {
    if (!lexer.isSymbol(symbol)) {
      throw lexer.error(message);
    }
    lexer.next();
  }

  private static void requireSum(Sum value) throws ConditionException {
    if (value.isCondition) {
      throw new ConditionException(value.start, "a sum must stand here");
    }
  }

  private static void requireCondition(Sum value) throws ConditionException {
    if (!value.isCondition) {
      throw new ConditionException(value.start, "a comparison, TRUE or FALSE must stand here");
    }
  }

  private void writeLeaf(int position, int size) throws ConditionException {
    leaves++;
    write(position, leaves > MAX_LEAVES ? MAX_BYTES + 1 : size);
  }

  private void write(int position, int size) throws ConditionException {
    bytes += size;
    if (bytes > MAX_BYTES) {
      throw new ConditionException(position, "the condition is too long from here");
    }
  }
}
