package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.evenweave.engine.nib.PortSettings;
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
 * Reports port states that ONOS 2.7.0 ignores: ports that their switches detect as dead while their
 * links are up ({@link PortLiveness}), and ports that may not forward or receive ({@link
 * PortSettings}). ONOS shows both as enabled. Every instance reports those of the switches that are
 * connected to it, and every instance knows them all. Safe for many threads.
 */
public final class PortReports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PortReports.class);

  /** Beside the bits of {@link PortSettings}. */
  private static final int DEAD = 1 << 16;

  /** By port, the bits that are set; only of ports with any. */
  private final EventuallyConsistentMap<String, Integer> bits;

  private final Map<DeviceId, PortLiveness> liveness = new ConcurrentHashMap<>();
  private final EventuallyConsistentMapListener<String, Integer> mapListener =
      event -> changed(ConnectPoint.deviceConnectPoint(event.key()).deviceId());
  private volatile Consumer<DeviceId> listener = device -> {};

  public PortReports(StorageService storage) {
    bits =
        storage
            .<String, Integer>eventuallyConsistentMapBuilder()
            .withName("evenweave-port-reports")
            .withSerializer(
                KryoNamespace.newBuilder().register(Integer.class).build("evenweave-port-reports"))
            .withTimestampProvider((port, value) -> new WallClockTimestamp())
            .build();
    bits.addListener(mapListener);
  }

  /** Sets the listener for devices with a port whose reported state changed. */
  void setListener(Consumer<DeviceId> newListener) {
    listener = newListener;
  }

  private void changed(DeviceId device) {
    listener.accept(device);
  }

  /** Whether a port of a device is dead. */
  public boolean isDead(DeviceId device, int port) {
    return (bitsOf(key(device, port)) & DEAD) != 0;
  }

  /** How a port of a device is configured. */
  public PortSettings settings(DeviceId device, int port) {
    return PortSettings.of(bitsOf(key(device, port)));
  }

  private int bitsOf(String key) {
    Integer known = bits.get(key);
    return known == null ? 0 : known;
  }

  /**
   * A switch that is connected to this instance has reported a port.
   *
   * @param live whether {@code OFPPS_LIVE} is set
   */
  public synchronized void reported(
      DeviceId device, int port, boolean live, PortSettings settings) {
    String key = key(device, port);
    boolean wasDead = isDead(device, port);
    // Dead also stays what another instance knows was live, and this one has never seen so.
    boolean isDead = liveness(device).isDead(port, live) || (wasDead && !live);
    if (isDead != wasDead) {
      LOG.info("port {} is {}", key, isDead ? "no longer live" : "live again");
    }
    put(key, settings.bits() | (isDead ? DEAD : 0));
  }

  /** A port is gone. */
  public synchronized void gone(DeviceId device, int port) {
    liveness(device).forget(port);
    put(key(device, port), 0);
  }

  private void put(String key, int now) {
    if (now == bitsOf(key)) {
      return;
    }
    if (now == 0) {
      bits.remove(key);
    } else {
      bits.put(key, now);
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
    bits.removeListener(mapListener);
    bits.destroy();
  }
}
