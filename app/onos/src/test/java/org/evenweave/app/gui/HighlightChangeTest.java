package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.onosproject.ui.topo.DeviceHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.LinkHighlight;
import org.onosproject.ui.topo.NodeBadge;
import org.onosproject.ui.topo.TopoJson;

class HighlightChangeTest {
  /** What GUI2's client keeps of the messages it gets ({@code ForceSvgComponent}). */
  private static final class View {
    final Map<String, String> labels = new TreeMap<>();
    final Map<String, String> badges = new TreeMap<>();

    void handle(JsonNode message) {
      message.get("payload").get("links").forEach(link -> put(labels, link, link.get("label")));
      message
          .get("payload")
          .get("devices")
          .forEach(device -> put(badges, device, device.path("badge").path("txt")));
    }

    private static void put(Map<String, String> shown, JsonNode element, JsonNode text) {
      if (text.asText().isEmpty()) {
        shown.remove(element.get("id").asText());
      } else {
        shown.put(element.get("id").asText(), text.asText());
      }
    }
  }

  private static Highlights highlights(Map<String, String> labels, Map<String, String> badges) {
    Highlights highlights = new Highlights();
    labels.forEach(
        (id, label) ->
            highlights.add(
                new LinkHighlight(id, LinkHighlight.Flavor.SECONDARY_HIGHLIGHT).setLabel(label)));
    badges.forEach(
        (id, text) -> {
          DeviceHighlight highlight = new DeviceHighlight(id);
          highlight.setBadge(NodeBadge.text(text));
          highlights.add(highlight);
        });
    return highlights;
  }

  @Provide
  Arbitrary<Map<String, String>> texts() {
    Arbitrary<String> few = Arbitraries.of("a", "b", "c", "d");
    return Arbitraries.maps(few, few).ofMaxSize(4);
  }

  @Property(tries = 200)
  void theViewShowsTheLastPictureAndNothingElse(
      @ForAll List<@net.jqwik.api.From("texts") Map<String, String>> pictures) {
    View view = new View();
    Highlights before = new Highlights();
    Map<String, String> last = Map.of();
    for (Map<String, String> picture : pictures) {
      Highlights next = highlights(picture, last);
      view.handle(TopoJson.highlightsMessage(HighlightChange.after(before, next)));
      assertEquals(picture, view.labels);
      assertEquals(last, view.badges);
      before = next;
      last = picture;
    }
  }

  @Test
  void whatWasTakenAwayIsNotTakenAwayAgain() {
    Highlights shown = highlights(Map.of("a", "1"), Map.of());
    assertTrue(HighlightChange.isEmpty(HighlightChange.after(new Highlights(), new Highlights())));
    assertEquals(1, HighlightChange.after(shown, new Highlights()).links().size());
  }
}
