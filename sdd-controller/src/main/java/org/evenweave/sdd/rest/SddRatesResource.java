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
import org.evenweave.sdd.policy.ClassState;
import org.evenweave.sdd.session.Directory;

/** The traffic classes, and the permitted and measured rates of each at each host. */
@Path("sdd/rates")
@Produces(MediaType.APPLICATION_JSON)
public final class SddRatesResource {
  private final SddController controller;

  public SddRatesResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"method":"tree","capacityBps":100000000,"packetBytes":1514,"classes":[{"name":"web",
   * "in":"tenant","weight":1,"guaranteedBps":0,"ceilingBps":100000000,"queue":9}],"rates":[{
   * "host":"h0","class":"web","rateBps":50000000,"arrivedBps":60000000,"sentBps":49600000,
   * "queuedBytes":120000}]}}, rates of connected hosts and classes with flows; measured ones once
   * the host has reported for a second. Without classes both lists are empty.
   */
  @GET
  public String rates() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ClassSharing sharing = controller.sharing();
    synchronized (sharing) {
      SharingConfig config = sharing.config();
      List<TrafficClass> all = config.classes();
      if (!all.isEmpty()) {
        root.put("method", config.method().name().toLowerCase(Locale.ROOT))
            .put("capacityBps", config.capacityBps())
            .put("packetBytes", config.packetBytes());
      }
      ArrayNode classes = root.putArray("classes");
      ArrayNode rates = root.putArray("rates");
      for (int c = 0; c < all.size(); c++) {
        describe(all, c, sharing, classes.addObject());
        addRates(all.get(c).name(), c, sharing, rates);
      }
    }
    return root.toString();
  }

  private static void describe(
      List<TrafficClass> all, int c, ClassSharing sharing, ObjectNode row) {
    TrafficClass described = all.get(c);
    row.put("name", described.name());
    if (described.parent() >= 0) {
      row.put("in", all.get(described.parent()).name());
    }
    row.put("weight", described.weight())
        .put("guaranteedBps", described.guaranteedBps())
        .put("ceilingBps", described.ceilingBps());
    if (sharing.queue(c) >= 0) {
      row.put("queue", sharing.queue(c));
    }
  }

  private void addRates(String name, int c, ClassSharing sharing, ArrayNode rates) {
    Directory directory = controller.directory();
    for (int host = 0; host < directory.count(); host++) {
      ClassState state = sharing.state(host, c).orElse(null);
      if (sharing.queue(c) < 0 || controller.sessions().host(host) == null || state == null) {
        continue;
      }
      ObjectNode row = rates.addObject();
      row.put("host", directory.nameOf(host)).put("class", name).put("rateBps", state.rateBps());
      if (state.isMeasured()) {
        row.put("arrivedBps", state.arrivedBps()).put("sentBps", state.sentBps());
      }
      row.put("queuedBytes", state.queuedBytes());
    }
  }
}
