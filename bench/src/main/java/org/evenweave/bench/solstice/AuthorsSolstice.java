package org.evenweave.bench.solstice;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * The Solstice authors' scheduler behind a program that reads matrices and writes schedules, all in
 * decimal numbers with blanks between:
 *
 * <pre>
 *   in:   hosts nightNs weekNs circuitBps packetBps, then hosts * hosts bytes row by row; repeated
 *   out:  timeNs days, then for each day: dayNs (without night), each source's destination or -1
 * </pre>
 *
 * <p>Its schedules go through the same books as ours. With the argument {@value #FASTEST} it sets
 * the option of that name, which leaves out the max-min cut of demand: that is most of its time.
 */
final class AuthorsSolstice {
  /** The authors' name for their fastest mode. */
  private static final String FASTEST = "skip_norm_down";

  private final AuthorsProgram program;
  private final String[] arguments;

  private AuthorsSolstice(AuthorsProgram program, String... arguments) {
    this.program = program;
    this.arguments = arguments;
  }

  /** As the authors have it by default: demand is cut to what a week carries, max-min fair. */
  static AuthorsSolstice asItIs(AuthorsProgram program) {
    return new AuthorsSolstice(program);
  }

  /** Without that cut. */
  static AuthorsSolstice fastest(AuthorsProgram program) {
    return new AuthorsSolstice(program, FASTEST);
  }

  void plan(CircuitNetwork network, List<DemandMatrix> matrices, Plans plans) {
    Iterator<String> words =
        program.run(input(network, matrices), arguments).stream()
            .flatMap(line -> Arrays.stream(line.trim().split("\\s+")))
            .iterator();
    WeekBuilder builder = new WeekBuilder(network);
    Schedule week = new Schedule(network.hosts());
    int[] destinationOf = new int[network.hosts()];
    for (DemandMatrix demand : matrices) {
      double ns = Double.parseDouble(words.next());
      int days = Integer.parseInt(words.next());
      builder.start(demand, week);
      for (int day = 0; day < days; day++) {
        long dayNs = Long.parseLong(words.next());
        for (int source = 0; source < destinationOf.length; source++) {
          destinationOf[source] = Integer.parseInt(words.next());
        }
        builder.addDay(destinationOf, dayNs);
      }
      plans.add(ns, demand, week);
    }
  }

  private static String input(CircuitNetwork network, List<DemandMatrix> matrices) {
    StringBuilder text = new StringBuilder();
    long[] entries = new long[network.hosts() * network.hosts()];
    for (DemandMatrix demand : matrices) {
      text.append(network.hosts()).append(' ').append(network.nightNs()).append(' ');
      text.append(network.weekNs()).append(' ').append(network.circuitBps()).append(' ');
      text.append(network.packetBps()).append('\n');
      demand.copyTo(entries);
      for (long entry : entries) {
        text.append(entry).append(' ');
      }
      text.append('\n');
    }
    return text.toString();
  }
}
