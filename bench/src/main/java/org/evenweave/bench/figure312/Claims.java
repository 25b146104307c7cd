package org.evenweave.bench.figure312;

import static org.evenweave.bench.figure312.Scheme.LIMIT_1_05;
import static org.evenweave.bench.figure312.Scheme.LIMIT_1_1;
import static org.evenweave.bench.figure312.Scheme.UNREDUCED;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claims of Tewari 2015, sections 3.7.3 and 3.7.4, about the figure, each held against it. The
 * paper does not say whether destinations share groups; its claims are tested without sharing, and
 * where one then fails, sharing is tried too.
 *
 * <p>Where D is a multiple of the number of S1 switches, all weights are equal, and there is
 * nothing to reduce. Claims about reduction are about the other fabrics.
 */
final class Claims {
  private static final int SMALL = Figure312.UPLINKS[0];
  private static final int LARGE = Figure312.UPLINKS[1];

  private final Figure312 figure;

  private Claims(Figure312 figure) {
    this.figure = figure;
  }

  static List<Claim> about(Figure312 figure) {
    Claims claims = new Claims(figure);
    return List.of(
        claims.tenThousandWithoutReduction(),
        claims.aQuarterFewer(),
        claims.fitsFourThousand(false),
        claims.fitsFourThousand(true),
        claims.threefoldGrowth(),
        claims.reductionSlowsGrowth(),
        claims.seventyPercentFewer(),
        claims.algorithm1IsOptimal());
  }

  private Claim tenThousandWithoutReduction() {
    int most = most(LARGE, UNREDUCED, false);
    return new Claim(
        "N = 192, no reduction: more than 10k entries",
        text(
            "at most %d; more than 10,000 with %s S1 switches",
            most, where(LARGE, p -> p.maxEntries(UNREDUCED, false) > 10_000)),
        most > 10_000);
  }

  private Claim aQuarterFewer() {
    double[] percents = range(LARGE, p -> percentFewer(p, LIMIT_1_05));
    return new Claim(
        "N = 192, limit 1.05: more than 25 % fewer entries",
        text("%.0f to %.0f %% fewer, wherever weights are unequal", percents[0], percents[1]),
        percents[0] > 25);
  }

  private Claim fitsFourThousand(boolean sharing) {
    Predicate<Point> exceeds = p -> p.maxEntries(LIMIT_1_1, sharing) > Figure312.TABLE_ENTRIES;
    boolean fits = figure.points(LARGE).stream().noneMatch(exceeds);
    double least =
        figure.points(LARGE).stream()
            .mapToDouble(p -> p.leastOversubscription(Figure312.TABLE_ENTRIES, sharing).toDouble())
            .max()
            .getAsDouble();
    return new Claim(
        "N = 192, limit 1.1: fits 4K entries" + (sharing ? " (groups shared)" : ""),
        text(
            "up to %d entries%s; all fit %d at a limit of %.3f",
            most(LARGE, LIMIT_1_1, sharing),
            fits ? "" : ", too many with " + where(LARGE, exceeds) + " S1 switches",
            Figure312.TABLE_ENTRIES,
            least),
        fits);
  }

  private Claim threefoldGrowth() {
    double maxima = growthOfMaximum(UNREDUCED);
    double[] each =
        range(
            LARGE,
            p ->
                (double) p.maxEntries(UNREDUCED, false)
                    / figure.point(SMALL, p.s1()).maxEntries(UNREDUCED, false));
    return new Claim(
        "port counts double, no reduction: entries grow by almost 3x",
        text(
            "the maximum grows %.1f times; with equal numbers of S1 switches %.1f to %.1f times",
            maxima, each[0], each[1]),
        maxima > 2.5 && maxima < 3);
  }

  private Claim reductionSlowsGrowth() {
    double at105 = growthOfMaximum(LIMIT_1_05);
    double at11 = growthOfMaximum(LIMIT_1_1);
    return new Claim(
        "reduction significantly slows such growth",
        text("the maximum grows %.1f times at 1.05 and %.1f times at 1.1", at105, at11),
        at105 < growthOfMaximum(UNREDUCED) && at11 < at105);
  }

  private Claim seventyPercentFewer() {
    Point point = figure.point(SMALL, Figure312.MOST_S1);
    double percent = percentFewer(point, LIMIT_1_05);
    return new Claim(
        "N = 96, 19 S1 switches, limit 1.05: 70 % fewer entries (section 3.7.4)",
        text(
            "%.0f %% fewer (%d instead of %d)",
            percent, point.maxEntries(LIMIT_1_05, false), point.maxEntries(UNREDUCED, false)),
        percent > 65);
  }

  private Claim algorithm1IsOptimal() {
    long differing =
        Stream.of(SMALL, LARGE)
            .flatMap(uplinks -> figure.points(uplinks).stream())
            .mapToLong(
                p ->
                    p.groupsWhereAlgorithm1Differs(LIMIT_1_05)
                        + p.groupsWhereAlgorithm1Differs(LIMIT_1_1))
            .sum();
    return new Claim(
        "Algorithm 1 gives as few entries as an LP solver",
        differing == 0
            ? "the exact search needs as many as Algorithm 1 in every group"
            : text("the exact search needs another number in %d groups", differing),
        differing == 0);
  }

  private int most(int uplinks, Scheme scheme, boolean sharing) {
    return figure.points(uplinks).stream()
        .mapToInt(p -> p.maxEntries(scheme, sharing))
        .max()
        .getAsInt();
  }

  private double growthOfMaximum(Scheme scheme) {
    return (double) most(LARGE, scheme, false) / most(SMALL, scheme, false);
  }

  private static double percentFewer(Point point, Scheme scheme) {
    return 100.0 - 100.0 * point.maxEntries(scheme, false) / point.maxEntries(UNREDUCED, false);
  }

  /** Least and largest value over the fabrics with unequal weights. */
  private double[] range(int uplinks, ToDoubleFunction<Point> value) {
    DoubleSummaryStatistics statistics =
        figure.points(uplinks).stream()
            .filter(Point::isUneven)
            .mapToDouble(value)
            .summaryStatistics();
    return new double[] {statistics.getMin(), statistics.getMax()};
  }

  /** The numbers of S1 switches, as text. */
  private String where(int uplinks, Predicate<Point> holds) {
    return figure.points(uplinks).stream()
        .filter(holds)
        .map(p -> String.valueOf(p.s1()))
        .collect(Collectors.joining(", "));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
