package org.evenweave.striping.picture;

import java.util.Locale;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * A plan as an SVG picture: S2 switches in a row at the top, S1 switches at the bottom, a line per
 * link from port to port. Links of a pair of switches with p + 1 links stand out, since they are
 * what makes the striping uneven.
 *
 * <p>Both stages have the same number of ports, so both rows share one width. Ports are spread over
 * a switch's box, in the order of the switches at the other end; lines therefore run beside each
 * other within a pair. Lines get thinner and ports closer with the number of links, to keep the
 * picture within about 2000 units as long as a port is at least a unit wide.
 */
public final class PlanPicture {

  /**
   * Most lines; beyond some thousands they merge into a texture, beyond this a viewer chokes on the
   * file.
   */
  public static final int MAX_LINKS = 1 << 16;

  /** Width at which ports stop being spread generously. */
  private static final double COMFORTABLE_WIDTH = 2000;

  private static final double WIDEST_PORT = 10;
  private static final double NARROWEST_PORT = 1;

  /** Room for a label such as s2-4095 in the font below. */
  private static final double NARROWEST_BOX = 52;

  private static final double BOX_HEIGHT = 26;
  private static final double BOX_GAP = 14;
  private static final double MARGIN = 24;
  private static final double TITLE_HEIGHT = 34;
  private static final double LEGEND_HEIGHT = 34;

  /** Generous mean for a sans-serif font of size 16. */
  private static final double TITLE_CHARACTER_WIDTH = 9;

  private static final String PLAIN_COLOUR = "#9aa5b1";
  private static final String EXTRA_COLOUR = "#d9480f";

  private final StripingPlan plan;
  private final String title;
  private final StripingParameters parameters;
  private final double portWidth;
  private final double width;
  private final double s2Bottom;
  private final double s1Top;
  private final StringBuilder svg = new StringBuilder();

  private PlanPicture(StripingPlan plan, String title) {
    this.plan = plan;
    this.title = escape(title);
    this.parameters = plan.parameters();
    portWidth =
        Math.max(NARROWEST_PORT, Math.min(WIDEST_PORT, COMFORTABLE_WIDTH / parameters.links()));
    width =
        Math.max(
            TITLE_CHARACTER_WIDTH * title.length(),
            Math.max(
                rowWidth(parameters.s1Count(), parameters.uplinks()),
                rowWidth(parameters.s2Count(), parameters.downlinks())));
    s2Bottom = MARGIN + TITLE_HEIGHT + BOX_HEIGHT;
    s1Top = s2Bottom + Math.max(160, Math.min(600, width / 4));
  }

  /**
   * Draws a plan.
   *
   * @param title printed above the picture; any text
   * @return a complete SVG 1.1 document
   * @throws IllegalArgumentException if the plan has more than {@link #MAX_LINKS} links
   */
  public static String svg(StripingPlan plan, String title) {
    if (plan.parameters().links() > MAX_LINKS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "s1 x uplinks: must be at most %d for a picture, was %d",
              MAX_LINKS,
              plan.parameters().links()));
    }
    return new PlanPicture(plan, title).draw();
  }

  private double boxWidth(int ports) {
    return Math.max(NARROWEST_BOX, (ports + 1) * portWidth);
  }

  private double rowWidth(int switches, int ports) {
    return switches * (boxWidth(ports) + BOX_GAP) - BOX_GAP;
  }

  /** Left edge of a box; the boxes of a row share the whole width. */
  private double boxLeft(int index, int switches, int ports) {
    double step = width / switches;
    return MARGIN + index * step + (step - boxWidth(ports)) / 2;
  }

  /** Horizontal position of a port, counted from 0, in the middle of its share of the box. */
  private double portX(int index, int switches, int ports, int port) {
    double box = boxWidth(ports);
    return boxLeft(index, switches, ports) + box * (port + 0.5) / ports;
  }

  private String draw() {
    double totalWidth = width + 2 * MARGIN;
    double totalHeight = s1Top + BOX_HEIGHT + LEGEND_HEIGHT + MARGIN;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
            + " viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\""
            + " text-anchor=\"middle\">",
        totalWidth, totalHeight, totalWidth, totalHeight);
    line("<title>%s</title>", title);
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    line(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"16\" text-anchor=\"start\">%s</text>",
        MARGIN, MARGIN + 12, title);
    // Plain links first, so that the others lie above them.
    links(false, PLAIN_COLOUR, portWidth / 8);
    links(true, EXTRA_COLOUR, portWidth / 5);
    boxes("s2", parameters.s2Count(), parameters.downlinks(), s2Bottom - BOX_HEIGHT);
    boxes("s1", parameters.s1Count(), parameters.uplinks(), s1Top);
    legend(s1Top + BOX_HEIGHT + LEGEND_HEIGHT - 8);
    line("</svg>");
    return svg.toString();
  }

  private void links(boolean extra, String colour, double strokeWidth) {
    line("<g stroke=\"%s\" stroke-width=\"%.3f\">", colour, strokeWidth);
    int[] s2Port = new int[parameters.s2Count()];
    for (int s1 = 0; s1 < parameters.s1Count(); s1++) {
      int s1Port = 0;
      for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
        boolean drawn = plan.links(s1, s2) > parameters.base() == extra;
        for (int link = 0; link < plan.links(s1, s2); link++) {
          if (drawn) {
            line(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                portX(s1, parameters.s1Count(), parameters.uplinks(), s1Port),
                s1Top,
                portX(s2, parameters.s2Count(), parameters.downlinks(), s2Port[s2]),
                s2Bottom);
          }
          s1Port++;
          s2Port[s2]++;
        }
      }
    }
    line("</g>");
  }

  private void boxes(String stage, int switches, int ports, double top) {
    for (int i = 0; i < switches; i++) {
      double left = boxLeft(i, switches, ports);
      line(
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"4\" fill=\"#e7f0fa\""
              + " stroke=\"#27496d\"/>",
          left, top, boxWidth(ports), BOX_HEIGHT);
      line(
          "<text x=\"%.1f\" y=\"%.1f\" fill=\"#1b2a3a\">%s-%d</text>",
          left + boxWidth(ports) / 2, top + BOX_HEIGHT / 2 + 4, stage, i);
    }
  }

  /** The legend of the colours; a colour that does not occur is left out. */
  private void legend(double y) {
    double x = MARGIN;
    if (parameters.base() > 0) {
      x = legendEntry(x, y, PLAIN_COLOUR, parameters.base());
    }
    if (parameters.extraPerS1() > 0) {
      legendEntry(x, y, EXTRA_COLOUR, parameters.base() + 1);
    }
  }

  private double legendEntry(double x, double y, String colour, int links) {
    line(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\"/>",
        x, y, x + 24, y, colour);
    line(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"start\">%d link%s</text>",
        x + 30, y + 4, links, links == 1 ? "" : "s");
    return x + 110;
  }

  private void line(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** Text as XML content; characters that XML 1.0 cannot hold become replacement characters. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c == '&') {
                escaped.append("&amp;");
              } else if (c == '<') {
                escaped.append("&lt;");
              } else if (c == '>') {
                escaped.append("&gt;");
              } else {
                escaped.appendCodePoint(isXmlCharacter(c) ? c : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  private static boolean isXmlCharacter(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= ' ' && c < Character.MIN_SURROGATE)
        || (c > Character.MAX_SURROGATE && c < 0xFFFE)
        || c > 0xFFFF;
  }
}
