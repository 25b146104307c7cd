package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.app.config.FabricConfig;
import org.evenweave.engine.config.EngineConfig;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.device.DeviceServiceAdapter;

/** One switch has a name, another has none, and there is a device that is no switch. */
class SwitchResolverTest {
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");
  private static final DeviceId NAMED = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId UNNAMED = DeviceId.deviceId("of:00000000000000ff");

  private final SwitchResolver switches = resolver();

  static SwitchResolver resolver() {
    return new SwitchResolver(
        new CoreServiceAdapter() {
          @Override
          public ApplicationId getAppId(String name) {
            return APPLICATION;
          }
        },
        new NetworkConfigServiceAdapter() {
          @Override
          @SuppressWarnings("unchecked")
          public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            return (C) config();
          }
        },
        new DeviceServiceAdapter() {
          @Override
          public Iterable<Device> getDevices() {
            return List.of(
                device(NAMED), device(UNNAMED), device(DeviceId.deviceId("rest:10.0.0.1")));
          }
        });
  }

  private static Device device(DeviceId id) {
    return new DefaultDevice(null, id, Device.Type.SWITCH, "", "", "", "", null);
  }

  private static FabricConfig config() {
    try {
      ObjectMapper json = new ObjectMapper();
      FabricConfig config = new FabricConfig(EngineConfig::empty, () -> false);
      config.init(
          APPLICATION,
          FabricConfig.KEY,
          json.readTree(
              "{\"switches\":[{\"id\":\"s1-0\",\"dpid\":\"0000000000000001\",\"stage\":1}]}"),
          json,
          changed -> {});
      return config;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSwitchGoesByBothNames() {
    assertEquals("s1-0", switches.switchId(NAMED.toString()));
    assertEquals("s1-0", switches.switchId("s1-0"));
    assertEquals(Optional.of(NAMED), switches.device("s1-0"));
  }

  @Test
  void aLinkGoesByAPortOfASwitchByEitherName() {
    assertEquals("s1-0/3", switches.elementId(NAMED + "/3"));
    assertEquals("s1-0/3", switches.elementId("s1-0/3"));
    assertEquals("s1-0", switches.elementId(NAMED.toString()));
  }

  @Test
  void aSwitchWithoutANameGoesByItsDatapathId() {
    assertEquals(UNNAMED.toString(), switches.switchId(UNNAMED.toString()));
    assertEquals(Optional.of(UNNAMED), switches.device(UNNAMED.toString()));
  }

  @Test
  void completionOffersBothNamesAndNoOtherDevices() {
    assertEquals(Set.of("of:0000000000000001", "of:00000000000000ff", "s1-0"), switches.all());
  }

  @Test
  void whatIsNoSwitchIsLeftForTheResourceToRefuse() {
    assertEquals("nope", switches.switchId("nope"));
    assertEquals(Optional.empty(), switches.device("nope"));
    assertEquals("switch=a%26b", switches.query("a&b"));
    assertEquals("", switches.query(null));
  }
}
