package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.session.HostClock;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;

/** The hosts: connected or not, their clocks, their control packets. */
@Path("sdd/hosts")
@Produces(MediaType.APPLICATION_JSON)
public final class SddHostsResource {
  private final SddController controller;

  public SddHostsResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * All configured hosts: {@code {"hosts":[{"name":"h0","number":0,"connected":true,
   * "addresses":["10.0.0.1"],"linkBps":1000000000,"fallback":"none","clock":{"synchronised":true,
   * "good":true,"offsetNs":-12,"errorBoundNs":900,"seenDifferenceNs":-51000},
   * "datagrams":{"sent":4000,"highest":4000,"lost":0,"refused":0,"unsent":0}},...]}}. Of a host
   * that is not connected there are name and number only; {@code clock} and what the host says of
   * its datagrams come with its first reports.
   */
  @GET
  public String hosts() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode hosts = root.putArray("hosts");
    for (int number = 0; number < controller.directory().count(); number++) {
      HostSession session = controller.sessions().host(number);
      ObjectNode host =
          hosts
              .addObject()
              .put("name", controller.directory().nameOf(number))
              .put("number", number)
              .put("connected", session != null);
      if (session != null) {
        describe(session, host);
      }
    }
    return root.toString();
  }

  private void describe(HostSession session, ObjectNode host) {
    ArrayNode addresses = host.putArray("addresses");
    Map<IpPrefix, String> refused = controller.refusedAddresses(session.number());
    ArrayNode refusals = JsonNodeFactory.instance.arrayNode();
    for (IpPrefix address : session.addresses()) {
      String why = refused.get(address);
      if (why == null) {
        addresses.add(text(address));
      } else {
        refusals.addObject().put("address", text(address)).put("problem", why);
      }
    }
    if (!refusals.isEmpty()) {
      host.set("refusedAddresses", refusals);
    }
    Reason fallback = session.fallback();
    host.put("linkBps", session.linkBps())
        .put("fallback", fallback.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    HostClock clock = session.clock();
    if (clock != null) {
      host.putObject("clock")
          .put("synchronised", clock.synchronised())
          .put("good", session.keepsTime(controller.config().guardNs()))
          .put("offsetNs", clock.offsetNs())
          .put("errorBoundNs", clock.errorBoundNs())
          .put("seenDifferenceNs", session.clockDifferenceNs());
    }
    ObjectNode datagrams =
        host.putObject("datagrams")
            .put("sent", session.datagramsSent())
            .put("unsent", session.datagramsUnsent());
    QueueDemand demand = session.demand();
    if (demand != null) {
      datagrams
          .put("highest", demand.highestSequence())
          .put("lost", demand.datagramsLost())
          .put("refused", demand.datagramsRefused());
    }
  }

  private static String text(IpPrefix prefix) {
    return prefix.isOneAddress() ? prefix.address().toString() : prefix.toString();
  }
}
