package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cli.EvenweaveCommand;
import org.evenweave.app.cli.SwitchCompleter;
import org.evenweave.app.rest.RestClient;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;

/** Chooses what the topology view shows, on all instances. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-show",
    description = "Shows a pair's shares in the topology view; without a pair, one it chooses")
public final class ShowCommand extends EvenweaveCommand {
  @Argument(name = "from", description = "where the traffic comes from (device or switch id)")
  @Completion(SwitchCompleter.class)
  String from;

  @Argument(index = 1, name = "to", description = "where it goes")
  @Completion(SwitchCompleter.class)
  String to;

  @Option(name = "--off", description = "Shows nothing, badges neither")
  boolean off;

  @Override
  protected JsonNode data() throws CommandException {
    String selection;
    try {
      selection = selection();
    } catch (IllegalArgumentException e) {
      throw new CommandException(e.getMessage(), e);
    }
    get(ComponentConfigService.class)
        .setProperty(PairShown.class.getName(), PairShown.PAIR, selection);
    return JsonNodeFactory.instance.objectNode().put(PairShown.PAIR, selection);
  }

  @Override
  protected List<String> lines(JsonNode data) {
    return List.of(PairShown.PAIR + "=" + data.get(PairShown.PAIR).asText());
  }

  /**
   * The text for {@link Selection#parse}.
   *
   * @throws IllegalArgumentException if there can be no traffic to see, saying why
   */
  private String selection() {
    if (from == null || off) {
      if (from != null) {
        throw new IllegalArgumentException("take --off or a pair");
      }
      return off ? Selection.OFF : Selection.AUTO;
    }
    if (to == null) {
      throw new IllegalArgumentException("a pair is two switches");
    }
    FabricMap map =
        FabricMap.now(
            get(EvenweaveService.class).configuration().configured(),
            get(DeviceService.class),
            get(LinkService.class));
    Selection.Pair pair = new Selection.Pair(map.switchId(from), map.switchId(to));
    Selection.parse(pair.toString());
    try {
      new ResponseCache(get(RestClient.class)).get(pair.pathsQuery());
    } catch (ResponseCache.ErrorResponseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return pair.toString();
  }
}
