package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.rest.RestClient;
import org.onlab.util.Tools;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.ui.UiExtension;
import org.onosproject.ui.UiExtensionService;
import org.onosproject.ui.UiViewHidden;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.TopoJson;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws shares and table use into ONOS's own topology view, in every browser that is connected to
 * this instance. The component is not satisfied while ONOS has no GUI.
 */
@Component(
    immediate = true,
    service = {})
public final class TopologyHighlighter {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyHighlighter.class);

  /** GUI2 forgets the highlight of a link after 5 s. */
  private static final long PERIOD_MILLIS = 2000;

  private static final long STOP_TIMEOUT_MILLIS = 1000;

  /** An extension has to have a view; this one is in no menu. */
  private static final String VIEW = "evenweave";

  @Reference private UiExtensionService extensions;
  @Reference private RestClient rest;
  @Reference private PairShown pairShown;
  @Reference private EvenweaveService evenweave;
  @Reference private DeviceService devices;
  @Reference private LinkService links;

  private final Set<Browser> browsers = ConcurrentHashMap.newKeySet();

  private UiExtension extension;
  private ScheduledExecutorService executor;
  private ResponseCache responses;

  /** What the browsers show; used by the executor's thread alone until that has ended. */
  private Highlights shown = new Highlights();

  @Activate
  void activate() {
    responses = new ResponseCache(rest);
    executor =
        Executors.newSingleThreadScheduledExecutor(Tools.groupedThreads("evenweave", "gui", LOG));
    executor.scheduleWithFixedDelay(
        this::drawSafely, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    extension =
        new UiExtension.Builder(getClass().getClassLoader(), List.of(new UiViewHidden(VIEW)))
            .messageHandlerFactory(() -> List.of(new Browser(browsers)))
            .ui2()
            .build();
    extensions.register(extension);
  }

  @Deactivate
  void deactivate() throws InterruptedException {
    executor.shutdownNow();
    executor.awaitTermination(STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    show(new Highlights());
    extensions.unregister(extension);
  }

  /** A scheduled task that throws is never run again. */
  private void drawSafely() {
    try {
      if (browsers.isEmpty()) {
        responses.forget();
      } else {
        show(picture());
      }
    } catch (ResponseCache.ErrorResponseException e) {
      LOG.debug("nothing to draw: {}", e.getMessage());
      show(new Highlights());
    } catch (RuntimeException e) {
      LOG.warn("cannot draw into the topology view", e);
    }
  }

  private void show(Highlights next) {
    Highlights change = HighlightChange.after(shown, next);
    shown = next;
    if (!HighlightChange.isEmpty(change)) {
      ObjectNode message = TopoJson.highlightsMessage(change);
      browsers.forEach(browser -> browser.send(message));
    }
  }

  private Highlights picture() throws ResponseCache.ErrorResponseException {
    Highlights highlights = new Highlights();
    Selection selection = pairShown.selection();
    if (selection.isOff()) {
      return highlights;
    }
    FabricMap map = FabricMap.now(evenweave.configuration().configured(), devices, links);
    List<JsonNode> groups = responses.rows("groups", "groups");
    Map<String, Double> shares = Map.of();
    Optional<JsonNode> paths = selection.pair(groups).flatMap(this::paths);
    if (paths.isPresent()) {
      double limit = responses.get("oversubscription?limit=1").get("limit").asDouble();
      new PairShares(map, limit).addTo(highlights, paths.get(), groups);
      shares = PairShares.through(paths.get());
    }
    new Badges(map)
        .addTo(
            highlights,
            shares,
            responses.rows("oversubscription", "switches"),
            groups,
            reasons(responses.get("status")));
    return highlights;
  }

  private static List<String> reasons(JsonNode status) {
    List<String> reasons = new ArrayList<>();
    status.path("reasons").forEach(reason -> reasons.add(reason.asText()));
    return reasons;
  }

  /** Empty if a chosen switch is gone, which is no reason to draw nothing at all. */
  private Optional<JsonNode> paths(Selection.Pair pair) {
    try {
      return Optional.of(responses.get(pair.pathsQuery()));
    } catch (ResponseCache.ErrorResponseException e) {
      LOG.debug("no shares of {}: {}", pair, e.getMessage());
      return Optional.empty();
    }
  }
}
