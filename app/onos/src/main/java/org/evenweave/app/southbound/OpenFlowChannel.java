package org.evenweave.app.southbound;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.evenweave.app.network.DeadPorts;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenFlow messages to and from the switches that this instance is master of, for what no service
 * of ONOS provides: the tables as the switch itself describes them.
 *
 * <p>The interface of ONOS's OpenFlow controller is published in no registry, so its methods are
 * found by name. A "message listener" receives replies on the thread that reads from the switch.
 * "Event listeners" receive them too, but only after ONOS's own providers have processed them,
 * which for groups of hundreds of buckets takes 100 ms and more; an event listener is here only to
 * learn that they have.
 */
public final class OpenFlowChannel implements AutoCloseable {
  /** The OSGi service that the constructor takes. */
  public static final String SERVICE = "org.onosproject.openflow.controller.OpenFlowController";

  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowChannel.class);

  private static final String MASTER = "MASTER";
  private static final long REPLY_TIMEOUT_SECONDS = 5;

  /** ONOS has taken 4.5 s for a reply, at a load of 25 on two cores; one in 30 s is lost. */
  private static final long LOST_SECONDS = 30;

  /** Far from the other transaction ids: see {@link SwitchReader}. */
  private static final long SETTLING_XID = 0x455a_0000L;

  private static final long SETTLING_XIDS = 0x1_0000L;

  private final AtomicLong settlingCount = new AtomicLong();
  private final Object controller;
  private final Method getSwitch;
  private final Method write;
  private final Method dpidOf;
  private final Method uriOf;
  private final Object listener;
  private final Object eventListener;
  private final Map<Transaction, MultipartReply> outstanding = new ConcurrentHashMap<>();

  /**
   * Flow statistics replies that have arrived and that ONOS is still processing, on a thread of its
   * own: at the end it may send flow-mods that follow from the switch's state at the time of the
   * reply.
   */
  private final Map<Transaction, CompletableFuture<Void>> unprocessed = new ConcurrentHashMap<>();

  private volatile BiConsumer<DeviceId, OFGroupAdd> onGroupAdd = (device, message) -> {};
  private volatile BiConsumer<DeviceId, OFFlowMod> onFlowMod = (device, message) -> {};
  private volatile DeadPorts deadPorts;

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
      // ONOS calls event listeners in the order in which they were added: its providers first.
      eventListener = addListener("addEventListener");
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
   * Completes when ONOS has processed all flow statistics replies of a switch so far, and the
   * switch the flow-mods that ONOS sent because of them. ONOS compares a reply with its store some
   * time after it arrives: if rules changed meanwhile, it reverts the switch to the older state.
   */
  CompletableFuture<Void> settled(DeviceId device) {
    CompletableFuture<Void> processed = processed(dpid(device));
    return processed.isDone() ? processed : processed.thenCompose(nothing -> barrier(device));
  }

  /** Completes when ONOS has processed all replies of a switch that have arrived so far. */
  private CompletableFuture<Void> processed(Object dpid) {
    return CompletableFuture.allOf(
        unprocessed.entrySet().stream()
            .filter(entry -> entry.getKey().dpid.equals(dpid))
            .map(Map.Entry::getValue)
            .toArray(CompletableFuture[]::new));
  }

  /** Completes when the switch has replied to a request sent now, so after all earlier messages. */
  private CompletableFuture<Void> barrier(DeviceId device) {
    return request(
            device,
            SETTLING_XID + settlingCount.getAndIncrement() % SETTLING_XIDS,
            (factory, xid) -> factory.buildPortDescStatsRequest().setXid(xid).build())
        .handle((replies, error) -> null);
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
      Object dpid = dpid(device);
      Object openflowSwitch = getSwitch.invoke(controller, dpid);
      if (openflowSwitch == null) {
        throw new SouthboundException(device.toString(), "is not connected to this instance");
      }
      if (!MASTER.equals(String.valueOf(call(openflowSwitch, "getRole")))) {
        throw new SouthboundException(device.toString(), "has another master than this instance");
      }
      for (OFMessage message : messages.apply((OFFactory) call(openflowSwitch, "factory"))) {
        write.invoke(controller, dpid, message);
      }
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      throw new SouthboundException(device.toString(), "cannot be reached: " + cause);
    }
  }

  /**
   * Sets the observer of every group-mod that adds a group, from whatever part of ONOS. It runs
   * once the message is sent, on the sending thread, so that messages that it sends arrive later.
   */
  void onGroupAdd(BiConsumer<DeviceId, OFGroupAdd> observer) {
    onGroupAdd = observer;
  }

  /** Sets the observer of every flow-mod, in the same way. */
  void onFlowMod(BiConsumer<DeviceId, OFFlowMod> observer) {
    onFlowMod = observer;
  }

  /**
   * Sets who is told of every port that a switch describes, when it changes or is read.
   *
   * @param newDeadPorts null for nobody
   */
  public void reportPortsTo(DeadPorts newDeadPorts) {
    deadPorts = newDeadPorts;
  }

  @Override
  public void close() {
    try {
      method("removeMessageListener", 1).invoke(controller, listener);
      method("removeEventListener", 1).invoke(controller, eventListener);
    } catch (ReflectiveOperationException e) {
      LOG.debug("ONOS's OpenFlow controller is gone already", e);
    }
  }

  /** The listeners' own three methods take a switch's Dpid and one or more messages. */
  private Object onCall(Object proxy, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    switch (method.getName()) {
      case "handleIncomingMessage":
        onMessage(arguments[0], arguments[1]);
        return null;
      case "handleMessage":
        if (arguments[1] instanceof OFFlowStatsReply) {
          arrivedOrProcessed(arguments[0], (OFFlowStatsReply) arguments[1]);
        }
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
    if (message instanceof OFStatsReply) {
      OFStatsReply reply = (OFStatsReply) message;
      boolean last = !reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE);
      if (reply instanceof OFFlowStatsReply && last) {
        arrivedOrProcessed(dpid, reply);
      }
      MultipartReply multipart = outstanding.get(new Transaction(dpid, reply.getXid()));
      if (multipart != null) {
        multipart.add(reply);
      }
    }
  }

  /**
   * The last part of a reply has arrived, or ONOS has processed it: which is reported first is
   * open, since the threads differ. The first report opens an entry, the second closes it.
   */
  private void arrivedOrProcessed(Object dpid, OFStatsReply reply) {
    Transaction transaction = new Transaction(dpid, reply.getXid());
    CompletableFuture<Void> opened = new CompletableFuture<>();
    CompletableFuture<Void> before = unprocessed.putIfAbsent(transaction, opened);
    if (before != null) {
      unprocessed.remove(transaction, before);
      before.complete(null);
      return;
    }
    opened
        .completeOnTimeout(null, LOST_SECONDS, TimeUnit.SECONDS)
        .thenRun(() -> unprocessed.remove(transaction, opened));
  }

  private void onPort(DeviceId device, OFPortDesc description, boolean gone) {
    DeadPorts to = deadPorts;
    int number = description.getPortNo().getPortNumber();
    // Reserved ports, as LOCAL, are negative.
    if (to == null || number <= 0) {
      return;
    }
    if (gone) {
      to.gone(device, number);
    } else {
      to.reported(device, number, description.getState().contains(OFPortState.LIVE));
    }
  }

  private void onSent(Object dpid, List<?> messages) throws ReflectiveOperationException {
    for (Object message : messages) {
      if (message instanceof OFGroupAdd) {
        onGroupAdd.accept(device(dpid), (OFGroupAdd) message);
      } else if (message instanceof OFFlowMod) {
        onFlowMod.accept(device(dpid), (OFFlowMod) message);
      }
    }
  }

  private DeviceId device(Object dpid) throws ReflectiveOperationException {
    return DeviceId.deviceId((URI) uriOf.invoke(null, dpid));
  }

  private Object dpid(DeviceId device) {
    try {
      return dpidOf.invoke(null, device.uri());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(device + " is no OpenFlow switch", e);
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
