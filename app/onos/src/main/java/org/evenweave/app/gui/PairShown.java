package org.evenweave.app.gui;

import java.util.Dictionary;
import org.onlab.util.Tools;
import org.onosproject.cfg.ComponentConfigService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pair of switches that the topology view shows: a component property, so that it is the same
 * on all instances. GUI2 does not notify applications of the selection in the view.
 */
@Component(
    immediate = true,
    service = PairShown.class,
    property = PairShown.PAIR + "=" + Selection.AUTO)
public final class PairShown {
  static final String PAIR = "pair";

  private static final Logger LOG = LoggerFactory.getLogger(PairShown.class);

  @Reference private ComponentConfigService configs;

  private volatile Selection selection = Selection.parse(Selection.AUTO);

  @Activate
  void activate(ComponentContext context) {
    configs.registerProperties(PairShown.class);
    read(context.getProperties());
  }

  @Deactivate
  void deactivate() {
    configs.unregisterProperties(PairShown.class, false);
  }

  @Modified
  void modified(ComponentContext context) {
    read(context.getProperties());
  }

  Selection selection() {
    return selection;
  }

  /** An invalid selection is logged as an error, and the previous one stays. */
  void read(Dictionary<?, ?> properties) {
    String text = Tools.get(properties, PAIR);
    if (text == null) {
      return;
    }
    try {
      selection = Selection.parse(text);
    } catch (IllegalArgumentException e) {
      LOG.error("{} {}; the previous selection stays", PAIR, e.getMessage());
    }
  }
}
