package org.evenweave.striping.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlanPictureTest {

  private static final String PLAIN_COLOUR = "#9aa5b1";
  private static final String EXTRA_COLOUR = "#d9480f";

  @Test
  void everyLinkIsALineAndThoseOfLargerBundlesStandOut() throws Exception {
    // Each of 15 S1 switches has 2 links to 2 S2 switches and 1 link to 3.
    Document document = parse(StripingParameters.of(15, 5, 7, 21), "bundles");
    Map<String, Integer> lines = new HashMap<>();
    elements(document, "g")
        .forEach(g -> lines.merge(g.getAttribute("stroke"), elements(g, "line"), Integer::sum));
    assertEquals(Map.of(EXTRA_COLOUR, 15 * 2 * 2, PLAIN_COLOUR, 15 * 3), lines);
  }

  private static int elements(Element parent, String tag) {
    return parent.getElementsByTagName(tag).getLength();
  }

  @Test
  void everySwitchIsLabelledWithS2AboveS1() throws Exception {
    Document document = parse(StripingParameters.of(3, 2, 2, 3), "small");
    Map<String, Double> heights = new HashMap<>();
    elements(document, "text")
        .forEach(e -> heights.put(e.getTextContent(), Double.valueOf(e.getAttribute("y"))));
    for (int s1 = 0; s1 < 3; s1++) {
      for (int s2 = 0; s2 < 2; s2++) {
        assertTrue(heights.get("s2-" + s2) < heights.get("s1-" + s1));
      }
    }
  }

  @Test
  void everythingLiesWithinThePicture() throws Exception {
    for (int[] size : new int[][] {{1, 1, 1, 1}, {2, 8, 4, 1}, {19, 57, 96, 32}, {40, 2, 2, 40}}) {
      Document document = parse(StripingParameters.of(size[0], size[1], size[2], size[3]), "sizes");
      double width = Double.parseDouble(document.getDocumentElement().getAttribute("width"));
      double height = Double.parseDouble(document.getDocumentElement().getAttribute("height"));
      elements(document, "line")
          .forEach(
              e -> {
                for (String end : new String[] {"1", "2"}) {
                  double x = Double.parseDouble(e.getAttribute("x" + end));
                  double y = Double.parseDouble(e.getAttribute("y" + end));
                  assertTrue(x > 0 && x < width && y > 0 && y < height, x + "," + y);
                }
              });
    }
  }

  @Test
  void balancedPlanHasNothingThatStandsOut() {
    String svg =
        PlanPicture.svg(StripingKind.GROUP.plan(StripingParameters.of(2, 2, 4, 4)), "even");
    assertTrue(svg.contains(">2 links<"));
    assertTrue(!svg.contains("3 links"));
  }

  @Test
  void titleMayHoldAnyText() throws Exception {
    String title = "a < b & \"c\" > d ]]> é";
    Document document = parse(StripingParameters.of(2, 2, 3, 3), title);
    assertEquals(title, elements(document, "title").findFirst().orElseThrow().getTextContent());
  }

  @Test
  void charactersThatXmlCannotHoldAreReplaced() throws Exception {
    Document document = parse(StripingParameters.of(2, 2, 3, 3), "a\u0000\uD800\uFFFE\uD83D\uDE00");
    assertEquals(
        "a\uFFFD\uFFFD\uFFFD\uD83D\uDE00",
        elements(document, "title").findFirst().orElseThrow().getTextContent());
  }

  @Test
  void planWithMoreLinksThanAPictureCanShowIsRefused() {
    StripingPlan plan = StripingKind.GROUP.plan(StripingParameters.of(2, 2, 40000, 40000));
    assertEquals(
        "s1 x uplinks: must be at most 65536 for a picture, was 80000",
        assertThrows(IllegalArgumentException.class, () -> PlanPicture.svg(plan, "large"))
            .getMessage());
  }

  @Test
  void numbersAreWrittenWithPointsInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      String svg = PlanPicture.svg(StripingKind.GROUP.plan(StripingParameters.of(2, 2, 3, 3)), "");
      assertTrue(svg.lines().noneMatch(line -> line.matches(".*\"\\d+,\\d+\".*")), svg);
    } finally {
      Locale.setDefault(before);
    }
  }

  private static Document parse(StripingParameters parameters, String title) throws Exception {
    String svg = PlanPicture.svg(StripingKind.GROUP.plan(parameters), title);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static Stream<Element> elements(Document document, String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i));
  }
}
