package org.evenweave.app.network;

import java.util.Objects;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/** One direction of a cable between two switches. */
final class Cable {
  final ConnectPoint from;
  final ConnectPoint to;

  Cable(ConnectPoint from, ConnectPoint to) {
    this.from = from;
    this.to = to;
  }

  boolean touches(DeviceId device) {
    return from.deviceId().equals(device) || to.deviceId().equals(device);
  }

  Cable reverse() {
    return new Cable(to, from);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cable
        && ((Cable) other).from.equals(from)
        && ((Cable) other).to.equals(to);
  }

  @Override
  public int hashCode() {
    return Objects.hash(from, to);
  }
}
