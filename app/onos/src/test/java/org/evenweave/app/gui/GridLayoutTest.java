package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridLayoutTest {
  /** Of 16 characters in GUI2's font for link labels. */
  private static final double LABEL_WIDTH = 115;

  private static final double LABEL_HEIGHT = 14;

  private static Fabric fabric(int s1, int s2) {
    FabricBuilder builder = new FabricBuilder();
    for (int i = 0; i < s1; i++) {
      builder.addSwitch("s1-" + i, 1, Fabric.UNLIMITED);
    }
    for (int i = 0; i < s2; i++) {
      builder.addSwitch("s2-" + i, 2, Fabric.UNLIMITED);
    }
    return builder.build();
  }

  /** Every S1 switch is joined with every S2 switch. */
  @ParameterizedTest
  @CsvSource({"3,3", "2,2", "4,4", "8,4", "5,8", "16,16", "2,7"})
  void noPairsLabelsOverlap(int s1, int s2) {
    Map<String, GridLayout.Place> places = GridLayout.of(fabric(s1, s2));
    for (int from = 0; from < s1; from++) {
      for (int to = 0; to < from; to++) {
        List<double[]> labels = new ArrayList<>();
        for (int via = 0; via < s2; via++) {
          labels.add(middle(places, from, via));
          labels.add(middle(places, to, via));
        }
        for (int i = 0; i < labels.size(); i++) {
          for (int j = 0; j < i; j++) {
            double x = Math.abs(labels.get(i)[0] - labels.get(j)[0]);
            double y = Math.abs(labels.get(i)[1] - labels.get(j)[1]);
            assertTrue(x >= LABEL_WIDTH || y >= LABEL_HEIGHT, from + " to " + to);
          }
        }
      }
    }
  }

  private static double[] middle(Map<String, GridLayout.Place> places, int s1, int s2) {
    GridLayout.Place a = places.get("s1-" + s1);
    GridLayout.Place b = places.get("s2-" + s2);
    return new double[] {(a.x() + b.x()) / 2, (a.y() + b.y()) / 2};
  }

  @ParameterizedTest
  @CsvSource({"3,3", "16,2"})
  void theEdgeIsBelow(int s1, int s2) {
    Map<String, GridLayout.Place> places = GridLayout.of(fabric(s1, s2));
    assertEquals(s1 + s2, places.size());
    for (int i = 0; i < s1; i++) {
      for (int j = 0; j < s2; j++) {
        assertTrue(places.get("s1-" + i).y() > places.get("s2-" + j).y() + 2 * LABEL_HEIGHT);
      }
    }
  }
}
