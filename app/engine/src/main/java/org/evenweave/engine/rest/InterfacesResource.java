package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/** The addresses that answer packets with an expired TTL, and their switch ports. */
@Path("interfaces")
@Produces(MediaType.APPLICATION_JSON)
public final class InterfacesResource {
  private final Engine engine;

  public InterfacesResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * The ports of links, up or down, and those with hosts, by switch and port: {@code
   * {"prefix":"100.64.0.0/10","interfaces":[{"address":"100.64.0.1","switch":"s1-0","port":1,
   * "link":"s1-0/1-s2-0/1"},...],"total":30}}. A port with hosts has no link.
   *
   * @param switchId a switch that is there; 404 if it is not
   * @param offset the first row
   * @param limit at most so many rows
   */
  @GET
  public Response interfaces(
      @QueryParam("switch") String switchId,
      @QueryParam("offset") @DefaultValue("0") int offset,
      @QueryParam("limit") @DefaultValue("1000") int limit,
      @Context Request request) {
    EngineView view = engine.view();
    if (switchId != null) {
      Responses.requireSwitch(view, switchId);
    }
    EngineConfig config = view.configuration();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("prefix", config.traceroute().prefix().toString());
    ArrayNode interfaces = root.putArray("interfaces");
    List<Map.Entry<SwitchPort, String>> rows =
        linkOfPort(view).entrySet().stream()
            .filter(row -> switchId == null || row.getKey().switchId().equals(switchId))
            .filter(row -> address(config, row.getKey()).isPresent())
            .collect(Collectors.toList());
    for (Map.Entry<SwitchPort, String> row : Responses.page(rows, offset, limit, root)) {
      SwitchPort port = row.getKey();
      ObjectNode node =
          interfaces
              .addObject()
              .put("address", Ipv4Prefix.format(address(config, port).getAsInt()))
              .put("switch", port.switchId())
              .put("port", port.number());
      if (!row.getValue().isEmpty()) {
        node.put("link", row.getValue());
      }
    }
    return Responses.tagged(request, view, root::toString);
  }

  private static OptionalInt address(EngineConfig config, SwitchPort port) {
    int number = config.intended().indexOf(port.switchId());
    return config.traceroute().enabled()
        ? config.traceroute().address(number, port.number())
        : OptionalInt.empty();
  }

  /** By port, the name of the link that ends there; empty where hosts are. */
  private static SortedMap<SwitchPort, String> linkOfPort(EngineView view) {
    SortedMap<SwitchPort, String> linkOfPort = new TreeMap<>();
    for (Host host : view.snapshot().hosts()) {
      linkOfPort.put(host.location(), "");
    }
    Fabric fabric = view.snapshot().physical();
    for (int link = 0; link < fabric.linkCount(); link++) {
      linkOfPort.put(fabric.end(2 * link), fabric.linkName(link));
      linkOfPort.put(fabric.end(2 * link + 1), fabric.linkName(link));
    }
    return Collections.unmodifiableSortedMap(linkOfPort);
  }
}
