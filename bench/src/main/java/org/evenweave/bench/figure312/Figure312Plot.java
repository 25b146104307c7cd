package org.evenweave.bench.figure312;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The figure as SVG: a panel for each size of switch, side by side as in the paper, and a legend
 * below. Solid curves count every group; dashed ones count equal groups once, or leave ports out.
 */
final class Figure312Plot {
  private static final double PANEL_WIDTH = 430;
  private static final double PANEL_HEIGHT = 300;
  private static final double LEFT = 70;
  private static final double TOP = 40;
  private static final double GAP = 80;
  private static final double LEGEND_HEIGHT = 110;

  /** Of the Okabe-Ito palette, which colour-blind readers can tell apart. */
  private static final String[] COLOURS = {"#d55e00", "#0072b2", "#009e73"};

  private static final String DASHES = "6 4";

  private final Figure312 figure;
  private final List<Curve> curves;
  private final StringBuilder svg = new StringBuilder();

  /** The panel's left edge, and the value at its top. */
  private double left;

  private int top;

  /** One in each panel. */
  private static final class Curve {
    final Scheme scheme;
    final boolean sharing;
    final String colour;
    final boolean isDashed;
    final String label;

    Curve(Scheme scheme, boolean sharing, String colour, boolean isDashed) {
      this.scheme = scheme;
      this.sharing = sharing;
      this.colour = colour;
      this.isDashed = isDashed;
      label = scheme.label + (sharing ? ", equal groups shared" : "");
    }
  }

  private Figure312Plot(Figure312 figure, List<Curve> curves) {
    this.figure = figure;
    this.curves = curves;
  }

  /**
   * A complete SVG 1.1 document.
   *
   * @param leavesOut whether to compare groups that leave ports out, instead of the paper's curves
   */
  static String svg(Figure312 figure, boolean leavesOut) {
    List<Curve> curves = new ArrayList<>();
    if (leavesOut) {
      for (Scheme scheme : Scheme.LEAVING_OUT) {
        int i = Scheme.LEAVING_OUT.indexOf(scheme);
        curves.add(new Curve(scheme, false, COLOURS[1 + i % 2], i >= 2));
      }
    } else {
      for (Scheme scheme : Scheme.PAPER) {
        curves.add(new Curve(scheme, true, COLOURS[scheme.ordinal()], true));
        curves.add(new Curve(scheme, false, COLOURS[scheme.ordinal()], false));
      }
    }
    return new Figure312Plot(figure, curves).draw();
  }

  private String draw() {
    double width = LEFT + 2 * PANEL_WIDTH + GAP + 30;
    double height = TOP + PANEL_HEIGHT + LEGEND_HEIGHT;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
            + " viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    line("<title>Table entries before and after weight reduction</title>");
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    left = LEFT;
    for (int uplinks : Figure312.UPLINKS) {
      panel(uplinks);
      left += PANEL_WIDTH + GAP;
    }
    legend();
    line("</svg>");
    return svg.toString();
  }

  private void panel(int uplinks) {
    List<Point> points = figure.points(uplinks);
    int most =
        points.stream().mapToInt(p -> p.maxEntries(Scheme.UNREDUCED, false)).max().getAsInt();
    int step = most > 5000 ? 2000 : 500;
    top = (most / step + 1) * step;
    text(
        left + PANEL_WIDTH / 2,
        TOP - 15,
        "middle",
        String.format(Locale.ROOT, "N = %d, D = %d", uplinks, Figure312.downlinks(uplinks)));
    for (int entries = 0; entries <= top; entries += step) {
      stroke(left, y(entries), left + PANEL_WIDTH, y(entries), "#dddddd", "none");
      text(left - 8, y(entries) + 4, "end", String.valueOf(entries));
    }
    text(left, TOP - 15, "middle", "table entries");
    for (Point point : points) {
      text(x(point.s1()), TOP + PANEL_HEIGHT + 18, "middle", String.valueOf(point.s1()));
    }
    text(left + PANEL_WIDTH / 2, TOP + PANEL_HEIGHT + 38, "middle", "S1 switches");
    if (top > Figure312.TABLE_ENTRIES) {
      double y = y(Figure312.TABLE_ENTRIES);
      stroke(left, y, left + PANEL_WIDTH, y, "#333333", "2 3");
      text(left + PANEL_WIDTH + 4, y + 4, "start", "4K");
    }
    curves.forEach(curve -> curve(points, curve));
  }

  private void curve(List<Point> points, Curve curve) {
    String path =
        points.stream()
            .map(
                p ->
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        x(p.s1()),
                        y(p.maxEntries(curve.scheme, curve.sharing))))
            .collect(Collectors.joining(" "));
    line(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\""
            + " stroke-dasharray=\"%s\"/>",
        path, curve.colour, curve.isDashed ? DASHES : "none");
  }

  private void legend() {
    double y = TOP + PANEL_HEIGHT + 65;
    for (boolean dashed : new boolean[] {false, true}) {
      double x = LEFT;
      for (Curve curve : curves) {
        if (curve.isDashed == dashed) {
          stroke(x, y, x + 40, y, curve.colour, dashed ? DASHES : "none");
          text(x + 48, y + 4, "start", curve.label);
          x += 300;
        }
      }
      y += 22;
    }
  }

  private double x(int s1) {
    double share = (double) (s1 - Figure312.FEWEST_S1) / (Figure312.MOST_S1 - Figure312.FEWEST_S1);
    return left + share * PANEL_WIDTH;
  }

  private double y(int entries) {
    return TOP + PANEL_HEIGHT * (1 - (double) entries / top);
  }

  private void stroke(double x1, double y1, double x2, double y2, String colour, String dashes) {
    line(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
            + " stroke-dasharray=\"%s\"/>",
        x1, y1, x2, y2, colour, dashes);
  }

  private void text(double x, double y, String anchor, String text) {
    line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, text);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
