package org.evenweave.app.southbound;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the switches that this instance is master of what groups they hold, weights included.
 *
 * <p>No service of ONOS tells that: its group store compares buckets without their weights. ONOS's
 * OpenFlow controller can, but its interface is published nowhere, so the three methods used here
 * are found by name ({@code getSwitch}, {@code write}, {@code addEventListener}).
 *
 * <p>A group description is always asked for together with the group statistics, in messages whose
 * transaction ids follow each other. ONOS's own group provider pairs replies like that and takes
 * ours for its poll: ONOS's group states then follow within milliseconds instead of at the next
 * poll, and no unpaired reply stays in the provider's memory.
 *
 * <p>ONOS does not say which port a bucket of a SELECT group watches, so that a switch would go on
 * sending to a dead port until it is told otherwise. Groups that are read and found like that are
 * set to watch, bucket by bucket as they are, before they are shown.
 */
public final class OpenFlowChannel implements AutoCloseable {
  /** The service to be given to the constructor. */
  public static final String SERVICE = "org.onosproject.openflow.controller.OpenFlowController";

  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowChannel.class);

  /** ONOS counts its own transaction ids up from 1. */
  private static final long FIRST_XID = 0x4557_0000L;

  private static final long ANSWER_TIMEOUT_SECONDS = 5;

  private final Object controller;
  private final Method getSwitch;
  private final Method write;
  private final Method dpidOf;
  private final Object listener;
  private final AtomicLong nextXid = new AtomicLong(FIRST_XID);
  private final Map<Long, CompletableFuture<List<OFGroupDescStatsEntry>>> awaited =
      new ConcurrentHashMap<>();

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
      Method addListener = method("addEventListener", 1);
      Class<?> type = addListener.getParameterTypes()[0];
      listener = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::onCall);
      addListener.invoke(controller, listener);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this ONOS has another OpenFlow controller than 2.7's", e);
    }
  }

  /**
   * Evenweave's groups on a device of which this instance is master. Fails with a {@link
   * SouthboundException} if the switch is not connected here or does not answer.
   */
  public CompletableFuture<List<SelectGroup>> groups(DeviceId device) {
    return described(device)
        .thenCompose(
            entries -> {
              List<OFGroupDescStatsEntry> unwatched =
                  entries.stream()
                      .filter(GroupTranslator::isUnwatched)
                      .collect(Collectors.toList());
              if (unwatched.isEmpty()) {
                return CompletableFuture.completedFuture(entries);
              }
              watch(device, unwatched);
              // A switch does what it is told in the order it is told.
              return described(device);
            })
        .thenApply(
            entries -> entries.stream().map(GroupTranslator::read).collect(Collectors.toList()));
  }

  private void watch(DeviceId device, List<OFGroupDescStatsEntry> groups) {
    try {
      Object dpid = dpidOf.invoke(null, device.uri());
      OFFactory factory = factory(device, dpid);
      for (OFGroupDescStatsEntry group : groups) {
        write.invoke(controller, dpid, GroupTranslator.watched(factory, group));
      }
    } catch (ReflectiveOperationException e) {
      throw asSouthbound(device, e);
    }
  }

  private OFFactory factory(DeviceId device, Object dpid) throws ReflectiveOperationException {
    Object openflowSwitch = getSwitch.invoke(controller, dpid);
    if (openflowSwitch == null) {
      throw new SouthboundException(device.toString(), "is not connected to this instance");
    }
    return (OFFactory) call(openflowSwitch, "factory");
  }

  private CompletableFuture<List<OFGroupDescStatsEntry>> described(DeviceId device) {
    long statisticsXid = nextXid.getAndAdd(2);
    long descriptionXid = statisticsXid + 1;
    CompletableFuture<List<OFGroupDescStatsEntry>> groups = new CompletableFuture<>();
    awaited.put(descriptionXid, groups);
    try {
      Object dpid = dpidOf.invoke(null, device.uri());
      OFFactory factory = factory(device, dpid);
      write.invoke(
          controller,
          dpid,
          factory.buildGroupStatsRequest().setXid(statisticsXid).setGroup(OFGroup.ALL).build());
      write.invoke(
          controller, dpid, factory.buildGroupDescStatsRequest().setXid(descriptionXid).build());
    } catch (ReflectiveOperationException | RuntimeException e) {
      groups.completeExceptionally(asSouthbound(device, e));
    }
    return groups
        .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .whenComplete((found, error) -> awaited.remove(descriptionXid));
  }

  @Override
  public void close() {
    try {
      method("removeEventListener", 1).invoke(controller, listener);
    } catch (ReflectiveOperationException e) {
      LOG.debug("ONOS's OpenFlow controller is gone already", e);
    }
  }

  /** The listener's only method of its own is {@code handleMessage(Dpid, OFMessage)}. */
  private Object onCall(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "handleMessage":
        onMessage((OFMessage) arguments[1]);
        return null;
      case "equals":
        return proxy == arguments[0];
      case "hashCode":
        return System.identityHashCode(proxy);
      default:
        return "Evenweave's listener";
    }
  }

  private void onMessage(OFMessage message) {
    if (!(message instanceof OFGroupDescStatsReply)) {
      return;
    }
    CompletableFuture<List<OFGroupDescStatsEntry>> groups = awaited.get(message.getXid());
    if (groups == null) {
      return;
    }
    List<OFGroupDescStatsEntry> found = new ArrayList<>();
    for (OFGroupDescStatsEntry entry : ((OFGroupDescStatsReply) message).getEntries()) {
      if (GroupIdRange.contains(entry.getGroup().getGroupNumber())) {
        found.add(entry);
      }
    }
    groups.complete(found);
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

  private static SouthboundException asSouthbound(DeviceId device, Exception e) {
    Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
    return cause instanceof SouthboundException
        ? (SouthboundException) cause
        : new SouthboundException(device.toString(), "cannot be asked: " + cause);
  }
}
