package org.evenweave.app.network;

import java.util.Objects;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/** One direction of a link between two switches. */
final class DirectedLink {
  final ConnectPoint from;
  final ConnectPoint to;

  DirectedLink(ConnectPoint from, ConnectPoint to) {
    this.from = from;
    this.to = to;
  }

  boolean touches(DeviceId device) {
    return from.deviceId().equals(device) || to.deviceId().equals(device);
  }

  DirectedLink reverse() {
    return new DirectedLink(to, from);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DirectedLink
        && ((DirectedLink) other).from.equals(from)
        && ((DirectedLink) other).to.equals(to);
  }

  @Override
  public int hashCode() {
    return Objects.hash(from, to);
  }
}
