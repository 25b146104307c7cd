package org.evenweave.app.gui;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Places for switches in ONOS's topology view: a row for each stage, the edge at the bottom.
 *
 * <p>The view writes a link's label in the middle of its line. In two level rows of equally many
 * switches the middles of many lines coincide, so rows slant, neighbours in opposite directions:
 * lines with the same middle from left to right have different ones from top to bottom.
 */
final class GridLayout {
  /** Half of it is what separates the labels of lines that leave one switch: 16 characters. */
  static final double COLUMN = 240;

  /** From switch to switch of a row; more than the height of a label. */
  static final double SLANT = 24;

  /** Between the nearest switches of neighbouring rows. */
  private static final double GAP = 240;

  private static final double CENTRE_X = 500;
  private static final double TOP_Y = 150;

  /** A place, in the view's own coordinates. */
  static final class Place {
    private final double x;
    private final double y;

    Place(double x, double y) {
      this.x = x;
      this.y = y;
    }

    double x() {
      return x;
    }

    double y() {
      return y;
    }

    @Override
    public String toString() {
      return x + " " + y;
    }
  }

  private GridLayout() {}

  /** Where each switch of a fabric stands, by switch id. */
  static Map<String, Place> of(Fabric fabric) {
    SortedMap<Integer, List<String>> rows = new TreeMap<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      rows.computeIfAbsent(-fabric.stage(s), stage -> new ArrayList<>()).add(fabric.switchId(s));
    }
    Map<String, Place> places = new TreeMap<>();
    double y = TOP_Y;
    for (Map.Entry<Integer, List<String>> row : rows.entrySet()) {
      List<String> ids = row.getValue();
      double halfSlant = SLANT * (ids.size() - 1) / 2;
      y += halfSlant;
      int direction = row.getKey() % 2 == 0 ? 1 : -1;
      for (int i = 0; i < ids.size(); i++) {
        double fromCentre = i - (ids.size() - 1) / 2.0;
        places.put(
            ids.get(i),
            new Place(CENTRE_X + COLUMN * fromCentre, y + direction * SLANT * fromCentre));
      }
      y += halfSlant + GAP;
    }
    return places;
  }
}
