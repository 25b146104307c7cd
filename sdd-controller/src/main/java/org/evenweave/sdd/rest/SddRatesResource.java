package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.session.Directory;

/** The traffic classes and what each gets at each host now. */
@Path("sdd/rates")
@Produces(MediaType.APPLICATION_JSON)
public final class SddRatesResource {
  private final SddController controller;

  public SddRatesResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"method":"tree","capacityBps":100000000,"packetBytes":1514,"classes":[{"name":"web",
   * "in":"tenant","weight":1,"ceilingBps":100000000,"queue":9}],"rates":[{"host":"h0",
   * "class":"web","rateBps":50000000}]}}, rates of connected hosts and classes with flows; without
   * {@code sharing} in the configuration both lists are empty.
   */
  @GET
  public String rates() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    controller
        .config()
        .sharing()
        .ifPresent(
            config ->
                root.put("method", config.method().name().toLowerCase(Locale.ROOT))
                    .put("capacityBps", config.capacityBps())
                    .put("packetBytes", config.packetBytes()));
    ArrayNode classes = root.putArray("classes");
    ArrayNode rates = root.putArray("rates");
    controller
        .sharing()
        .ifPresent(
            sharing -> {
              List<TrafficClass> all =
                  controller.config().sharing().map(SharingConfig::classes).orElse(List.of());
              for (int c = 0; c < all.size(); c++) {
                describe(all, c, sharing, classes.addObject());
                addRates(all.get(c).name(), c, sharing, rates);
              }
            });
    return root.toString();
  }

  private static void describe(
      List<TrafficClass> all, int c, ClassSharing sharing, ObjectNode row) {
    TrafficClass described = all.get(c);
    row.put("name", described.name());
    if (described.parent() >= 0) {
      row.put("in", all.get(described.parent()).name());
    }
    row.put("weight", described.weight()).put("ceilingBps", described.ceilingBps());
    if (sharing.queue(c) >= 0) {
      row.put("queue", sharing.queue(c));
    }
  }

  private void addRates(String name, int c, ClassSharing sharing, ArrayNode rates) {
    Directory directory = controller.directory();
    for (int host = 0; host < directory.count(); host++) {
      if (sharing.queue(c) >= 0 && controller.sessions().host(host) != null) {
        rates
            .addObject()
            .put("host", directory.nameOf(host))
            .put("class", name)
            .put("rateBps", sharing.rateBps(host, c));
      }
    }
  }
}
