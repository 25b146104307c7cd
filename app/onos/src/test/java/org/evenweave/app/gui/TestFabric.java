package org.evenweave.app.gui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.app.network.SwitchNames;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.provider.ProviderId;

/** Two edge switches and two spines, one of which has two links to the first edge switch. */
final class TestFabric {
  static final String LEFT = "of:0000000000000001";
  static final String RIGHT = "of:0000000000000002";
  static final String SPINE = "of:0000000000000003";
  static final String OTHER_SPINE = "of:0000000000000004";

  private static final ProviderId PROVIDER = new ProviderId("of", "test");
  private static final Map<Long, String> NAMES =
      Map.of(1L, "s1-0", 2L, "s1-1", 3L, "s2-0", 4L, "s2-1");

  private TestFabric() {}

  static FabricMap map() {
    List<Device> devices = new ArrayList<>();
    for (String id : List.of(LEFT, RIGHT, SPINE, OTHER_SPINE, "netconf:10.0.0.1")) {
      devices.add(
          new DefaultDevice(
              PROVIDER, DeviceId.deviceId(id), Device.Type.SWITCH, "", "", "", "", null));
    }
    List<Link> links = new ArrayList<>();
    connect(links, LEFT, 1, SPINE, 1);
    connect(links, LEFT, 2, SPINE, 2);
    connect(links, LEFT, 3, OTHER_SPINE, 1);
    connect(links, RIGHT, 1, SPINE, 3);
    connect(links, RIGHT, 2, OTHER_SPINE, 2);
    return new FabricMap(devices, links, new SwitchNames(NAMES::get));
  }

  private static void connect(List<Link> links, String a, int portA, String b, int portB) {
    ConnectPoint one = point(a, portA);
    ConnectPoint other = point(b, portB);
    links.add(link(one, other));
    links.add(link(other, one));
  }

  private static ConnectPoint point(String device, int port) {
    return new ConnectPoint(DeviceId.deviceId(device), PortNumber.portNumber(port));
  }

  private static Link link(ConnectPoint from, ConnectPoint to) {
    return DefaultLink.builder()
        .providerId(PROVIDER)
        .src(from)
        .dst(to)
        .type(Link.Type.DIRECT)
        .build();
  }

  /** JSON with single quotes. */
  static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** The elements of an array. */
  static List<JsonNode> rows(String array) {
    List<JsonNode> rows = new ArrayList<>();
    json(array).forEach(rows::add);
    return rows;
  }
}
