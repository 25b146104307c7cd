package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;

/** One switch has a name, another has none, and there is a device that is no switch. */
class SwitchResolverTest {
  private static final DeviceId NAMED = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId UNNAMED = DeviceId.deviceId("of:00000000000000ff");

  private final SwitchResolver switches = resolver();

  static SwitchResolver resolver() {
    EngineConfig config =
        ConfigReader.parse(
            "{\"switches\":[{\"id\":\"s1-0\",\"dpid\":\"0000000000000001\",\"stage\":1}]}");
    return new SwitchResolver(
        config,
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
