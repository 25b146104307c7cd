package org.evenweave.app.southbound;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.evenweave.app.network.ProbeChannel;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.behaviour.ExtensionTreatmentResolver;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Programs switches over the OpenFlow channels of their masters, from whichever instance the engine
 * runs on. ONOS's stores know nothing of these groups and rules.
 */
public final class OnosSouthbound implements SouthboundPort, ProbeChannel {
  private static final Logger LOG = LoggerFactory.getLogger(OnosSouthbound.class);

  private final SwitchNames names;
  private final Supplier<CompletableFuture<Void>> mayChange;
  private final long epoch;
  private final MasterRequests masters;
  private final DeviceService devices;
  private final PacketService packets;
  private final PendingChanges pending;
  private final Function<Short, String> applicationOf;
  private final AtomicLong requests = new AtomicLong();

  /** By switch, what it reported when it was read last. */
  private final Map<String, Limits> limits = new ConcurrentHashMap<>();

  private boolean warnedOfUdp;

  /**
   * @param mayChange called before each change: completes if this engine still leads
   * @param epoch in which it leads; masters refuse the requests of earlier ones
   * @param pending has the changes that are not confirmed, and counts outcomes
   * @param applicationOf the name of an application of ONOS by its number; empty if it has none
   */
  public OnosSouthbound(
      SwitchNames names,
      Supplier<CompletableFuture<Void>> mayChange,
      long epoch,
      MasterRequests masters,
      DeviceService devices,
      PacketService packets,
      PendingChanges pending,
      Function<Short, String> applicationOf) {
    this.names = names;
    this.mayChange = mayChange;
    this.epoch = epoch;
    this.masters = masters;
    this.devices = devices;
    this.packets = packets;
    this.pending = pending;
    this.applicationOf = applicationOf;
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    DeviceId device = names.device(switchId);
    long number = requests.incrementAndGet();
    CompletableFuture<Void> done =
        mayChange
            .get()
            .thenCompose(
                nothing -> {
                  PendingChanges.Entry entry = pending.add(device, operations);
                  return masters
                      .apply(device, epoch, number, operations)
                      .orTimeout(
                          SwitchWriter.timeouts(operations) * pending.timeoutNanos(),
                          TimeUnit.NANOSECONDS)
                      .whenComplete((confirmed, error) -> conclude(entry, error));
                });
    return named(switchId, done);
  }

  private static void conclude(PendingChanges.Entry entry, Throwable error) {
    if (error == null) {
      entry.confirmed();
    } else if (error instanceof TimeoutException) {
      entry.givenUp();
    } else {
      entry.refused();
    }
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    return readAll(switchId).thenApply(SwitchReading::own);
  }

  @Override
  public CompletableFuture<SwitchReading> readAll(String switchId) {
    warnOfUdp();
    return named(
        switchId,
        masters
            .tables(names.device(switchId), epoch, requests.incrementAndGet())
            .whenComplete(
                (tables, error) -> {
                  if (error != null) {
                    pending.unread();
                  }
                })
            .thenApply(
                tables -> {
                  limits.put(switchId, tables.limits());
                  return tables.reading();
                }));
  }

  @Override
  public CompletableFuture<Collection<RuleCount>> countRoutes(String switchId) {
    return named(switchId, masters.routes(names.device(switchId)));
  }

  @Override
  public CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
    return named(switchId, masters.ports(names.device(switchId)));
  }

  @Override
  public CompletableFuture<Void> sendProbes(String switchId, Map<Integer, byte[]> frameByPort) {
    return named(switchId, masters.sendProbes(names.device(switchId), frameByPort));
  }

  /** Logged once, since it is the same for all switches of ONOS. */
  private void warnOfUdp() {
    if (!warnedOfUdp) {
      warnedOfUdp = true;
      LOG.warn(
          "ONOS programs switches by OpenFlow 1.3, where Open vSwitch's groups hash no UDP ports:"
              + " all UDP flows between two hosts take one path; the embedded controller uses"
              + " OpenFlow 1.5");
    }
  }

  /** ONOS has asked the switch for its description (OFPMP_DESC) when it connected. */
  @Override
  public SwitchTarget target(String switchId) {
    return names
        .find(switchId)
        .map(devices::getDevice)
        .map(Device::hwVersion)
        .map(SwitchTarget::ofHardware)
        .orElse(SwitchTarget.OVS_UNIT_BUCKETS);
  }

  @Override
  public Limits limits(String switchId) {
    return limits.getOrDefault(switchId, Limits.NONE);
  }

  /**
   * Not where ONOS's driver interprets actions of Open vSwitch's own, as the one for Open vSwitch 2
   * does: at that of a large table it gives up the whole poll of the switch's groups.
   */
  @Override
  public boolean mayChooseLargeTables(String switchId) {
    return names
        .find(switchId)
        .map(devices::getDevice)
        .map(device -> !device.is(ExtensionTreatmentResolver.class))
        .orElse(true);
  }

  /** ONOS's rules have the number of their application in the upper 16 bits of their cookie. */
  @Override
  public String ownerOf(long cookie) {
    return cookie == OwnEntries.COOKIE.getValue()
        ? "Evenweave's cookie"
        : applicationOf.apply((short) (cookie >>> 48));
  }

  @Override
  public IntStream groupIds(String switchId) {
    return OwnEntries.groupIds();
  }

  /** ONOS has the switch's master send it; lost if this instance is cut off and knows of none. */
  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    OutboundPacket packet =
        new DefaultOutboundPacket(
            names.device(switchId),
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build(),
            ByteBuffer.wrap(frame));
    try {
      packets.emit(packet);
    } catch (StorageException e) {
      LOG.debug("{}: a packet is not sent", switchId, e);
    }
  }

  /** The engine expects southbound exceptions only, with its own switch ids. */
  private static <T> CompletableFuture<T> named(String switchId, CompletableFuture<T> future) {
    CompletableFuture<T> named = new CompletableFuture<>();
    future.whenComplete(
        (value, error) -> {
          if (error == null) {
            named.complete(value);
          } else {
            named.completeExceptionally(new SouthboundException(switchId, reason(error)));
          }
        });
    return named;
  }

  private static String reason(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof TimeoutException) {
      return "no reply in time";
    }
    String message = String.valueOf(cause.getMessage());
    return cause instanceof SouthboundException
        ? message.substring(((SouthboundException) cause).switchId().length() + ": ".length())
        : message;
  }
}
