package org.evenweave.app.southbound;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.evenweave.app.network.PortReports;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.openflow.OperationStep;
import org.evenweave.openflow.PortCodec;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenFlow messages to and from the switches that this instance is master of: changes of tables
 * with their confirmation, and the tables as the switch itself describes them.
 *
 * <p>The interface of ONOS's OpenFlow controller is published in no registry, so its methods are
 * found by name. A "message listener" receives replies on the thread that reads from the switch,
 * before ONOS's own providers do.
 */
public final class OpenFlowChannel implements AutoCloseable {
  /** The OSGi service that the constructor takes. */
  public static final String SERVICE = "org.onosproject.openflow.controller.OpenFlowController";

  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowChannel.class);

  private static final String MASTER = "MASTER";
  private static final long ALL_QUEUES = 0xffff_ffffL;
  private static final long REPLY_TIMEOUT_SECONDS = 5;

  /** Transaction ids of changes, far from the others: see {@link SwitchReader}. */
  private static final long CHANGES_XID = 0x4560_0000L;

  private static final long CHANGES_XIDS = 0x10_0000L;

  /** Handles messages of Open vSwitch one after another, each to its end. */
  private static final String OPEN_VSWITCH = "Open vSwitch";

  private final AtomicLong changes = new AtomicLong();
  private final Object controller;
  private final Method getSwitch;
  private final Method write;
  private final Method dpidOf;
  private final Method uriOf;
  private final Object listener;
  private final Map<Transaction, MultipartReply> outstanding = new ConcurrentHashMap<>();

  /** By the switch's Dpid, the changes that are not confirmed. */
  private final Map<Object, Set<Chunk>> chunks = new ConcurrentHashMap<>();

  private volatile BiConsumer<DeviceId, OFFlowRemoved> onFlowRemoved = (device, message) -> {};
  private volatile BiConsumer<DeviceId, OFFlowStatsReply> onRules = (device, part) -> {};
  private volatile PortReports portReports;

  /** What identifies a reply: the switch, and the transaction id of the request. */
  private static final class Transaction {
    private final Object dpid;
    private final long xid;

    Transaction(Object dpid, long xid) {
      this.dpid = dpid;
      this.xid = xid;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Transaction
          && ((Transaction) other).xid == xid
          && ((Transaction) other).dpid.equals(dpid);
    }

    @Override
    public int hashCode() {
      return Objects.hash(dpid, xid);
    }
  }

  /** A multipart reply: several messages, in order. */
  private static final class MultipartReply {
    final List<OFStatsReply> received = new ArrayList<>();
    final CompletableFuture<List<OFStatsReply>> all = new CompletableFuture<>();

    void add(OFStatsReply part) {
      received.add(part);
      if (!part.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
        all.complete(received);
      }
    }
  }

  /**
   * @param controller the OSGi service {@link #SERVICE}
   * @throws IllegalStateException if it does not have the methods of ONOS 2.7
   */
  public OpenFlowChannel(Object controller) {
    this.controller = controller;
    try {
      write = method("write", 2);
      getSwitch = method("getSwitch", 1);
      Class<?> dpid = write.getParameterTypes()[0];
      dpidOf = dpid.getMethod("dpid", URI.class);
      uriOf = dpid.getMethod("uri", dpid);
      listener = addListener("addMessageListener");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this ONOS has another OpenFlow controller than 2.7's", e);
    }
  }

  private Object addListener(String name) throws ReflectiveOperationException {
    Method method = method(name, 1);
    Class<?> type = method.getParameterTypes()[0];
    Object newListener =
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::onCall);
    method.invoke(controller, newListener);
    return newListener;
  }

  /**
   * Sends changes in order, and behind them a request whose reply confirms them: a barrier request
   * or, to Open vSwitch, which never reorders, a request for the queues of its local port, of which
   * there are none. ONOS would log a warning for every reply to a barrier request that is not its
   * own.
   *
   * @return completes when the switch has carried out all of them; fails as {@link Chunk#outcome}
   */
  CompletableFuture<Void> change(DeviceId device, List<OperationStep> steps) {
    return send(device, steps, OpenFlowChannel::barrierRequest);
  }

  /**
   * Sends packets out of ports, and behind them a request for statistics whose reply shows that the
   * switch has not stood still.
   *
   * @return completes when the switch has replied; fails as {@link Chunk#outcome}
   */
  CompletableFuture<Void> sendPackets(DeviceId device, Map<Integer, byte[]> frameByPort) {
    List<OperationStep> packets = new ArrayList<>();
    frameByPort.forEach((port, frame) -> packets.add(OperationStep.packetOut(port, frame)));
    return send(device, packets, OpenFlowChannel::portsRequest);
  }

  /**
   * @param confirming makes the last message, to switches other than Open vSwitch
   */
  private CompletableFuture<Void> send(
      DeviceId device,
      List<OperationStep> steps,
      BiFunction<OFFactory, Long, OFMessage> confirming) {
    long firstXid = CHANGES_XID + Math.floorMod(changes.getAndAdd(steps.size() + 1), CHANGES_XIDS);
    Chunk chunk = new Chunk(device, steps, firstXid);
    Set<Chunk> ofSwitch =
        chunks.computeIfAbsent(dpid(device), any -> ConcurrentHashMap.newKeySet());
    ofSwitch.add(chunk);
    try {
      Object openflowSwitch = mastered(device);
      OFFactory factory = (OFFactory) call(openflowSwitch, "factory");
      List<OFMessage> messages = new ArrayList<>(steps.size() + 1);
      for (OperationStep step : steps) {
        OFMessage message = step.message(factory, firstXid + messages.size());
        messages.add(SecondLookup.toSwitch(factory, HashedGroup.toSwitch(factory, message)));
      }
      messages.add(
          OPEN_VSWITCH.equals(call(openflowSwitch, "hardwareDescription"))
              ? noQueuesRequest(factory, chunk.lastXid())
              : confirming.apply(factory, chunk.lastXid()));
      write(device, messages);
      chunk.onWritten();
    } catch (ReflectiveOperationException e) {
      chunk.fail(unreachable(device, e));
    } catch (SouthboundException e) {
      chunk.fail(e);
    }
    return chunk
        .outcome(REPLY_TIMEOUT_SECONDS)
        .whenComplete((nothing, error) -> ofSwitch.remove(chunk));
  }

  private static OFMessage noQueuesRequest(OFFactory factory, long xid) {
    return factory
        .buildQueueStatsRequest()
        .setXid(xid)
        .setPortNo(OFPort.LOCAL)
        .setQueueId(ALL_QUEUES)
        .build();
  }

  private static OFMessage barrierRequest(OFFactory factory, long xid) {
    return factory.buildBarrierRequest().setXid(xid).build();
  }

  /** ONOS takes the reply for that to its own poll; it would log a warning for a barrier's. */
  private static OFMessage portsRequest(OFFactory factory, long xid) {
    return factory.buildPortStatsRequest().setXid(xid).setPortNo(OFPort.ANY).build();
  }

  /**
   * Sends a statistics request.
   *
   * @param xid of the request; different from that of any outstanding request to this switch
   * @param request makes the request, with this transaction id
   * @return all parts of the reply; fails with a {@link SouthboundException} if this instance is
   *     not the switch's master or the switch does not reply
   */
  CompletableFuture<List<OFStatsReply>> request(
      DeviceId device, long xid, BiFunction<OFFactory, Long, OFMessage> request) {
    MultipartReply multipart = new MultipartReply();
    Transaction transaction = new Transaction(dpid(device), xid);
    outstanding.put(transaction, multipart);
    try {
      send(device, factory -> List.of(request.apply(factory, xid)));
    } catch (SouthboundException e) {
      multipart.all.completeExceptionally(e);
    }
    return multipart
        .all
        .orTimeout(REPLY_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .whenComplete((replies, error) -> outstanding.remove(transaction, multipart));
  }

  /**
   * Sends messages in order, without confirmation.
   *
   * @throws SouthboundException if this instance is not the switch's master: ONOS would drop them
   */
  void send(DeviceId device, Function<OFFactory, List<? extends OFMessage>> messages) {
    try {
      OFFactory factory = (OFFactory) call(mastered(device), "factory");
      write(device, messages.apply(factory));
    } catch (ReflectiveOperationException e) {
      throw unreachable(device, e);
    }
  }

  /**
   * Another object for each connection of the switch.
   *
   * @throws SouthboundException if this instance is not the switch's master
   */
  Object connection(DeviceId device) {
    try {
      return mastered(device);
    } catch (ReflectiveOperationException e) {
      throw unreachable(device, e);
    }
  }

  /** The switch, if this instance is its master. */
  private Object mastered(DeviceId device) throws ReflectiveOperationException {
    Object openflowSwitch = getSwitch.invoke(controller, dpid(device));
    if (openflowSwitch == null) {
      throw new SouthboundException(device.toString(), "is not connected to this instance");
    }
    if (!MASTER.equals(String.valueOf(call(openflowSwitch, "getRole")))) {
      throw new SouthboundException(device.toString(), "has another master than this instance");
    }
    return openflowSwitch;
  }

  private void write(DeviceId device, List<? extends OFMessage> messages)
      throws ReflectiveOperationException {
    Object dpid = dpid(device);
    for (OFMessage message : messages) {
      write.invoke(controller, dpid, message);
    }
  }

  private static SouthboundException unreachable(
      DeviceId device, ReflectiveOperationException problem) {
    Throwable cause = problem instanceof InvocationTargetException ? problem.getCause() : problem;
    return new SouthboundException(device.toString(), "cannot be reached: " + cause);
  }

  /** Sets the observer of switches' reports of rules that they no longer have. */
  void onFlowRemoved(BiConsumer<DeviceId, OFFlowRemoved> observer) {
    onFlowRemoved = observer;
  }

  /** Sets the observer of the rules that switches describe, whoever asked: all ask for all. */
  void onRules(BiConsumer<DeviceId, OFFlowStatsReply> observer) {
    onRules = observer;
  }

  /**
   * Sets the listener for every port that a switch describes, when it changes or is read.
   *
   * @param newPortReports null for nobody
   */
  public void reportPortsTo(PortReports newPortReports) {
    portReports = newPortReports;
  }

  @Override
  public void close() {
    try {
      method("removeMessageListener", 1).invoke(controller, listener);
    } catch (ReflectiveOperationException e) {
      LOG.debug("ONOS's OpenFlow controller is gone already", e);
    }
  }

  /** The listener's own two methods take a switch's Dpid and one or more messages. */
  private Object onCall(Object proxy, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    switch (method.getName()) {
      case "handleIncomingMessage":
        onMessage(arguments[0], arguments[1]);
        return null;
      case "handleOutgoingMessage":
        onSent(arguments[0], (List<?>) arguments[1]);
        return null;
      case "equals":
        return proxy == arguments[0];
      case "hashCode":
        return System.identityHashCode(proxy);
      default:
        return "Evenweave's listener";
    }
  }

  private void onMessage(Object dpid, Object message) throws ReflectiveOperationException {
    if (message instanceof OFPortStatus) {
      OFPortStatus status = (OFPortStatus) message;
      onPort(device(dpid), status.getDesc(), status.getReason() == OFPortReason.DELETE);
    } else if (message instanceof OFPortDescStatsReply) {
      for (OFPortDesc port : ((OFPortDescStatsReply) message).getEntries()) {
        onPort(device(dpid), port, false);
      }
    }
    if (message instanceof OFFlowRemoved) {
      onFlowRemoved.accept(device(dpid), (OFFlowRemoved) message);
    } else if (message instanceof OFStatsReply) {
      OFStatsReply reply = (OFStatsReply) message;
      MultipartReply multipart = outstanding.get(new Transaction(dpid, reply.getXid()));
      if (multipart != null) {
        multipart.add(reply);
      }
      if (message instanceof OFFlowStatsReply) {
        onRules.accept(device(dpid), (OFFlowStatsReply) message);
      }
    }
    if (message instanceof OFMessage) {
      OFMessage reply = (OFMessage) message;
      chunk(dpid, reply.getXid()).ifPresent(chunk -> chunk.onReply(reply));
    }
  }

  private Optional<Chunk> chunk(Object dpid, long xid) {
    return chunks.getOrDefault(dpid, Set.of()).stream().filter(chunk -> chunk.has(xid)).findFirst();
  }

  private void onPort(DeviceId device, OFPortDesc description, boolean gone) {
    PortReports to = portReports;
    int number = description.getPortNo().getPortNumber();
    // Reserved ports, as LOCAL, are negative.
    if (to == null || number <= 0) {
      return;
    }
    if (gone) {
      to.gone(device, number);
    } else {
      to.reported(
          device,
          number,
          description.getState().contains(OFPortState.LIVE),
          PortCodec.settings(description));
    }
  }

  /** On the thread that writes the messages. */
  private void onSent(Object dpid, List<?> messages) {
    for (Object message : messages) {
      long xid = ((OFMessage) message).getXid();
      chunk(dpid, xid).ifPresent(chunk -> chunk.onSent(xid));
    }
  }

  private DeviceId device(Object dpid) throws ReflectiveOperationException {
    return DeviceId.deviceId((URI) uriOf.invoke(null, dpid));
  }

  private Object dpid(DeviceId device) {
    try {
      return dpidOf.invoke(null, device.uri());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(device + " is not an OpenFlow switch", e);
    }
  }

  private Method method(String name, int parameters) throws NoSuchMethodException {
    for (Class<?> type : controller.getClass().getInterfaces()) {
      for (Method method : type.getMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == parameters) {
          return method;
        }
      }
    }
    throw new NoSuchMethodException(SERVICE + "." + name);
  }

  private static Object call(Object target, String name) throws ReflectiveOperationException {
    for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
      for (Class<?> implemented : type.getInterfaces()) {
        try {
          return implemented.getMethod(name).invoke(target);
        } catch (NoSuchMethodException e) {
          LOG.trace("{} has no {}", implemented, name);
        }
      }
    }
    throw new NoSuchMethodException(target.getClass() + "." + name);
  }
}
