package org.evenweave.app.gui;

import org.onosproject.ui.topo.DeviceHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.LinkHighlight;

/** What goes from one picture to the next: the view only ever adds to what it shows. */
final class HighlightChange {
  private HighlightChange() {}

  /**
   * The next picture, with everything taken away that only the one before has. A link would lose
   * its label by itself after 5 s, a device never its badge.
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
