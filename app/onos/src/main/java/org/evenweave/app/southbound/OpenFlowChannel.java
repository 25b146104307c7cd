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
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenFlow messages to and from the switches that this instance is master of, for what no service
 * of ONOS tells: what a switch holds by its own account.
 *
 * <p>ONOS's OpenFlow controller can be asked, but its interface is published nowhere, so its
 * methods are found by name. Replies are heard as a "message listener", on the thread that reads
 * from the switch: "event listeners" hear them too, but only after ONOS's own providers have done
 * their work on them, which for groups of hundreds of buckets takes them 100 ms and more. An event
 * listener is what tells that they have.
 */
public final class OpenFlowChannel implements AutoCloseable {
  /** The service to be given to the constructor. */
  public static final String SERVICE = "org.onosproject.openflow.controller.OpenFlowController";

  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowChannel.class);

  private static final String MASTER = "MASTER";
  private static final long ANSWER_TIMEOUT_SECONDS = 5;

  /** Far from those of others that ask: see {@link SwitchReader}. */
  private static final long SETTLING_XID = 0x455a_0000L;

  private static final long SETTLING_XIDS = 0x1_0000L;

  private final AtomicLong settling = new AtomicLong();
  private final Object controller;
  private final Method getSwitch;
  private final Method write;
  private final Method dpidOf;
  private final Method uriOf;
  private final Object listener;
  private final Object eventListener;
  private final UnprocessedReplies unprocessed = new UnprocessedReplies();
  private final Map<Question, Parts> awaited = new ConcurrentHashMap<>();
  private volatile BiConsumer<DeviceId, OFGroupAdd> onGroupAdd = (device, message) -> {};
  private volatile BiConsumer<DeviceId, OFFlowMod> onFlowMod = (device, message) -> {};

  /** What a reply names: the switch, and the transaction of the request. */
  private static final class Question {
    private final Object dpid;
    private final long xid;

    Question(Object dpid, long xid) {
      this.dpid = dpid;
      this.xid = xid;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Question
          && ((Question) other).xid == xid
          && ((Question) other).dpid.equals(dpid);
    }

    @Override
    public int hashCode() {
      return Objects.hash(dpid, xid);
    }
  }

  /** A reply may come in several messages, in order. */
  private static final class Parts {
    final List<OFStatsReply> soFar = new ArrayList<>();
    final CompletableFuture<List<OFStatsReply>> all = new CompletableFuture<>();

    void add(OFStatsReply part) {
      soFar.add(part);
      if (!part.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
        all.complete(soFar);
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
      listener = added("addMessageListener");
      // ONOS tells its event listeners in the order in which they came: its providers first.
      eventListener = added("addEventListener");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this ONOS has another OpenFlow controller than 2.7's", e);
    }
  }

  private Object added(String add) throws ReflectiveOperationException {
    Method addListener = method(add, 1);
    Class<?> type = addListener.getParameterTypes()[0];
    Object added =
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::onCall);
    addListener.invoke(controller, added);
    return added;
  }

  /**
   * Completes when ONOS is through with all that a switch has said so far of its rules, and the
   * switch with all that ONOS sent because of it. ONOS compares a reply with its store when it gets
   * round to it: if rules were changed meanwhile, it sends the switch back to what it was.
   */
  CompletableFuture<Void> settled(DeviceId device) {
    CompletableFuture<Void> processed = unprocessed.of(dpid(device));
    return processed.isDone() ? processed : processed.thenCompose(nothing -> answered(device));
  }

  /** A switch answers in the order in which it is told. */
  private CompletableFuture<Void> answered(DeviceId device) {
    return ask(
            device,
            SETTLING_XID + settling.getAndIncrement() % SETTLING_XIDS,
            (factory, xid) -> factory.buildPortDescStatsRequest().setXid(xid).build())
        .handle((replies, error) -> null);
  }

  /**
   * Asks a switch for statistics.
   *
   * @param xid of the request; another one than that of any request to this switch that may still
   *     be answered
   * @param request makes the request, with this transaction id
   * @return all parts of the reply; fails with a {@link SouthboundException} if this instance is
   *     not the switch's master or the switch does not answer
   */
  CompletableFuture<List<OFStatsReply>> ask(
      DeviceId device, long xid, BiFunction<OFFactory, Long, OFMessage> request) {
    Parts parts = new Parts();
    Question question = new Question(dpid(device), xid);
    awaited.put(question, parts);
    try {
      send(device, factory -> List.of(request.apply(factory, xid)));
    } catch (SouthboundException e) {
      parts.all.completeExceptionally(e);
    }
    return parts
        .all
        .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .whenComplete((replies, error) -> awaited.remove(question, parts));
  }

  /**
   * Sends messages, in order; nothing tells whether they arrive.
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
   * Sets who hears of every group that is added to a switch, by whomever in ONOS: called once the
   * message is on its way, on the thread that sent it, so that what is sent from there arrives
   * after it.
   */
  void onGroupAdd(BiConsumer<DeviceId, OFGroupAdd> hearer) {
    onGroupAdd = hearer;
  }

  /** Sets who hears of every change of a rule, in the same way. */
  void onFlowMod(BiConsumer<DeviceId, OFFlowMod> hearer) {
    onFlowMod = hearer;
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

  /**
   * The listeners' three methods of their own are given a switch's Dpid and one or more messages.
   */
  private Object onCall(Object proxy, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    switch (method.getName()) {
      case "handleIncomingMessage":
        onMessage(arguments[0], arguments[1]);
        return null;
      case "handleMessage":
        if (arguments[1] instanceof OFFlowStatsReply) {
          unprocessed.processed(arguments[0], ((OFFlowStatsReply) arguments[1]).getXid());
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

  private void onMessage(Object dpid, Object message) {
    if (message instanceof OFStatsReply) {
      OFStatsReply reply = (OFStatsReply) message;
      boolean last = !reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE);
      if (reply instanceof OFFlowStatsReply && last) {
        unprocessed.arrived(dpid, reply.getXid());
      }
      Parts parts = awaited.get(new Question(dpid, reply.getXid()));
      if (parts != null) {
        parts.add(reply);
      }
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
