package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.app.cluster.FakeStorage;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.device.DeviceServiceAdapter;

class DevicePlacesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ONE = "of:0000000000000001";
  private static final String TWO = "of:0000000000000002";
  private static final EngineConfig CONFIG =
      ConfigReader.parse(
          "{\"switches\":[{\"id\":\"s1-0\",\"dpid\":\"0000000000000001\",\"stage\":1},"
              + "{\"id\":\"s2-0\",\"dpid\":\"0000000000000002\",\"stage\":2}]}");

  /** The devices' basic configurations, as text. */
  private final Map<String, String> basic = new TreeMap<>();

  private final DevicePlaces places =
      new DevicePlaces(new Configs(), new Devices(), new FakeStorage());

  private final class Configs extends NetworkConfigServiceAdapter {
    @Override
    @SuppressWarnings("unchecked")
    public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
      String text = basic.get(subject.toString());
      if (text == null) {
        return null;
      }
      BasicDeviceConfig config = new BasicDeviceConfig();
      config.init((DeviceId) subject, "basic", json(text), JSON, changed -> {});
      return (C) config;
    }

    @Override
    public <S, C extends Config<S>> C applyConfig(S subject, Class<C> type, JsonNode json) {
      basic.put(subject.toString(), json.toString());
      C config = getConfig(subject, type);
      assertEquals(true, config.isValid(), "ONOS refuses it");
      return config;
    }

    @Override
    public <S, C extends Config<S>> void removeConfig(S subject, Class<C> type) {
      basic.remove(subject.toString());
    }
  }

  private static final class Devices extends DeviceServiceAdapter {
    @Override
    public Iterable<Device> getDevices() {
      List<Device> devices = new ArrayList<>();
      for (String id : List.of(ONE, TWO, "of:00000000000000ff", "netconf:10.0.0.1")) {
        devices.add(
            new DefaultDevice(
                null, DeviceId.deviceId(id), Device.Type.SWITCH, "", "", "", "", null));
      }
      return devices;
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void devicesWithoutAPlaceGetOneByTheirStageAndLoseItAgain() {
    places.place(CONFIG);
    assertEquals(
        Map.of(
            ONE, "{\"locType\":\"grid\",\"gridX\":500.0,\"gridY\":390.0}",
            TWO, "{\"locType\":\"grid\",\"gridX\":500.0,\"gridY\":150.0}"),
        basic);
    places.takeBack();
    assertEquals(Map.of(), basic);
  }

  @Test
  void theOperatorsPlacesAndNamesStay() {
    String placed = "{\"locType\":\"geo\",\"latitude\":50.1,\"longitude\":8.7}";
    basic.put(ONE, placed);
    basic.put(TWO, "{\"name\":\"spine\"}");
    places.place(CONFIG);
    assertEquals(placed, basic.get(ONE));
    assertEquals("spine", json(basic.get(TWO)).get("name").asText());
    assertEquals(150, json(basic.get(TWO)).get("gridY").asInt());
    places.takeBack();
    assertEquals(Map.of(ONE, placed, TWO, "{\"name\":\"spine\"}"), basic);
  }

  @Test
  void aPlaceThatTheOperatorChangedStays() {
    places.place(CONFIG);
    String moved = "{\"locType\":\"grid\",\"gridX\":1,\"gridY\":2}";
    basic.put(ONE, moved);
    places.place(CONFIG);
    places.takeBack();
    assertEquals(Map.of(ONE, moved), basic);
  }
}
