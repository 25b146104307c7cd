package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.Limits;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueState;

/** A host's SDDQueues, queried now. */
@Path("sdd/queues")
@Produces(MediaType.APPLICATION_JSON)
public final class SddQueuesResource {
  private static final long ANSWER_SECONDS = 6;

  private final HostTurns turns = new HostTurns();
  private final SddController controller;
  private final long answerSeconds;

  public SddQueuesResource(SddController controller) {
    this(controller, ANSWER_SECONDS);
  }

  /**
   * @param answerSeconds how long a host's answer may take
   */
  SddQueuesResource(SddController controller, long answerSeconds) {
    this.controller = controller;
    this.answerSeconds = answerSeconds;
  }

  /**
   * {@code {"host":"h0","queues":[{"queue":1,"to":"h1","network":"circuit","priority":0,
   * "drainRateBps":0,"flows":3,"queuedPackets":12,"queuedBytes":18000,"sentPackets":..,
   * "sentBytes":..,"receivedPackets":..,"receivedBytes":..,"droppedPackets":..,"lastXmitNs":..,
   * "lastRecvNs":..,"packetSwitchPackets":..,"packetSwitchBytes":..},...]}}; a traffic class's
   * queue has a {@code class} instead of {@code to}.
   *
   * @param hostName a host that is connected; 404 if it is not
   * @param first the first queue
   * @param limit at most so many queues
   */
  @GET
  public String queues(
      @QueryParam("host") String hostName,
      @QueryParam("first") @DefaultValue("0") int first,
      @QueryParam("limit") @DefaultValue("1000") int limit) {
    if (hostName == null) {
      throw new BadRequestException("say which host: queues?host=NAME");
    }
    if (first < 0 || first >= Limits.MAX_QUEUES) {
      throw new BadRequestException("first must be 0 to 65534, and is " + first);
    }
    if (limit < 1 || limit > Limits.MAX_QUERIED_QUEUES) {
      throw new BadRequestException(
          "limit must be 1 to " + Limits.MAX_QUERIED_QUEUES + ", and is " + limit);
    }
    Directory directory = controller.directory();
    int number = directory.numberOf(hostName);
    HostSession host = number < 0 ? null : controller.sessions().host(number);
    if (host == null) {
      throw new NotFoundException("no host \"" + hostName + "\" is connected");
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode().put("host", hostName);
    ArrayNode rows = root.putArray("queues");
    for (QueueState state : askInTurn(host, first, limit)) {
      row(state, rows.addObject());
    }
    return root.toString();
  }

  private List<QueueState> askInTurn(HostSession host, int first, int limit) {
    if (!turns.begin(host.name())) {
      throw new ServiceUnavailableException(
          host.name() + ", or too many hosts, have not answered others yet");
    }
    try {
      return ask(host, first, limit);
    } finally {
      turns.end(host.name());
    }
  }

  private List<QueueState> ask(HostSession host, int first, int limit) {
    try {
      return host.queryQueues(first, limit).get(answerSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("the controller is stopping");
    } catch (ExecutionException | TimeoutException e) {
      throw new ServiceUnavailableException(host.name() + " did not answer");
    }
  }

  private void row(QueueState state, ObjectNode row) {
    row.put("queue", state.queue());
    Directory directory = controller.directory();
    if (directory.destinationOf(state.queue()) >= 0) {
      row.put("to", directory.nameOf(directory.destinationOf(state.queue())));
      int circuitClass = directory.circuitClassOf(state.queue());
      if (circuitClass > 0) {
        row.put("class", controller.config().circuitClasses().get(circuitClass - 1).name());
      }
    }
    controller.sharing().className(state.queue()).ifPresent(name -> row.put("class", name));
    row.put("network", state.throughPacketSwitch() ? "packet" : "circuit")
        .put("priority", state.priority())
        .put("drainRateBps", state.drainRateBps())
        .put("flows", state.flows())
        .put("queuedPackets", state.queuedPackets())
        .put("queuedBytes", state.queuedBytes())
        .put("sentPackets", state.sentPackets())
        .put("sentBytes", state.sentBytes())
        .put("receivedPackets", state.receivedPackets())
        .put("receivedBytes", state.receivedBytes())
        .put("droppedPackets", state.droppedPackets())
        .put("lastXmitNs", state.lastXmitNs())
        .put("lastRecvNs", state.lastRecvNs())
        .put("packetSwitchPackets", state.packetSwitchPackets())
        .put("packetSwitchBytes", state.packetSwitchBytes());
  }
}
