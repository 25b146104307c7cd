package org.evenweave.app.gui;

import org.onosproject.ui.topo.DeviceHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.LinkHighlight;

/** Computes the changes between two sets of highlights, since the view only adds highlights. */
final class HighlightChange {
  private HighlightChange() {}

  /**
   * The next picture, with the removal of everything that only the one before has. A link loses its
   * label by itself after 5 s, a device never loses its badge.
   */
  static Highlights after(Highlights before, Highlights next) {
    Highlights all = new Highlights();
    before
        .links()
        .forEach(
            link ->
                all.add(new LinkHighlight(link.elementId(), LinkHighlight.Flavor.NO_HIGHLIGHT)));
    before.devices().forEach(device -> all.add(new DeviceHighlight(device.elementId())));
    next.links().forEach(all::add);
    next.devices().forEach(all::add);
    return all;
  }

  static boolean isEmpty(Highlights highlights) {
    return highlights.links().isEmpty() && highlights.devices().isEmpty();
  }
}
