package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.evenweave.engine.port.PortLiveness;
import org.onlab.util.KryoNamespace;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.store.service.EventuallyConsistentMap;
import org.onosproject.store.service.EventuallyConsistentMapListener;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.WallClockTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports that are dead by their switches' own detection while their links are up ({@link
 * PortLiveness}): ONOS (2.7.0) has them as enabled. Every instance reports those of the switches
 * that are connected to it, and every instance knows them all. Safe for many threads.
 */
public final class DeadPorts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadPorts.class);

  private final EventuallyConsistentMap<String, Boolean> dead;
  private final Map<DeviceId, PortLiveness> liveness = new ConcurrentHashMap<>();
  private final EventuallyConsistentMapListener<String, Boolean> mapListener =
      event -> changed(ConnectPoint.deviceConnectPoint(event.key()).deviceId());
  private volatile Consumer<DeviceId> listener = device -> {};

  public DeadPorts(StorageService storage) {
    dead =
        storage
            .<String, Boolean>eventuallyConsistentMapBuilder()
            .withName("evenweave-dead-ports")
            .withSerializer(
                KryoNamespace.newBuilder().register(Boolean.class).build("evenweave-dead-ports"))
            .withTimestampProvider((port, isDead) -> new WallClockTimestamp())
            .build();
    dead.addListener(mapListener);
  }

  /** Sets who is told of devices some port of which has died or is live again. */
  void setListener(Consumer<DeviceId> newListener) {
    listener = newListener;
  }

  private void changed(DeviceId device) {
    listener.accept(device);
  }

  /** Whether a port of a device is dead. */
  public boolean contains(DeviceId device, int port) {
    return dead.containsKey(key(device, port));
  }

  /**
   * A switch that is connected to this instance has reported a port.
   *
   * @param live whether {@code OFPPS_LIVE} is set
   */
  public synchronized void reported(DeviceId device, int port, boolean live) {
    String key = key(device, port);
    boolean isDead = liveness(device).isDead(port, live);
    // Dead also stays what another instance knows was live, and this one has never seen so.
    if (isDead && !dead.containsKey(key)) {
      LOG.info("port {} is not live any more", key);
      dead.put(key, true);
    } else if (live && dead.containsKey(key)) {
      LOG.info("port {} is live again", key);
      dead.remove(key);
    }
  }

  /** A port is gone. */
  public synchronized void gone(DeviceId device, int port) {
    liveness(device).forget(port);
    if (contains(device, port)) {
      dead.remove(key(device, port));
    }
  }

  private PortLiveness liveness(DeviceId device) {
    return liveness.computeIfAbsent(device, any -> new PortLiveness());
  }

  private static String key(DeviceId device, int port) {
    return device + "/" + port;
  }

  @Override
  public void close() {
    dead.removeListener(mapListener);
    dead.destroy();
  }
}
