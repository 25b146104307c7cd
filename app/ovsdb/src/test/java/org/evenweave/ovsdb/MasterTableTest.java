package org.evenweave.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterTableTest {
  private static String[] controller(String target, String role, boolean connected) {
    return new String[] {target, role, String.valueOf(connected)};
  }

  @Test
  void theConnectedMasterOfEachSwitchIsFound() throws IOException {
    try (FakeOvsdb server = new FakeOvsdb()) {
      server.with(1, 1).with(2, 1).with(3, 1).with(4, 1);
      server.controllers.put(
          1L, List.of(controller("tcp:a:1", "slave", true), controller("tcp:b:1", "master", true)));
      server.controllers.put(2L, List.<String[]>of(controller("tcp:c:1", "master", false)));
      server.controllers.put(3L, List.<String[]>of(controller("tcp:d:1", "other", true)));
      assertEquals(
          Map.of(1L, "tcp:b:1", 2L, MasterTable.NONE, 3L, MasterTable.NONE, 4L, MasterTable.NONE),
          MasterTable.read(server.address(), OvsdbTls.NONE.within(300_000)));
    }
  }

  @Test
  void aServerThatIsNotThereIsAnError() throws IOException {
    FakeOvsdb server = new FakeOvsdb();
    String address = server.address();
    server.close();
    assertThrows(IOException.class, () -> MasterTable.read(address, OvsdbTls.NONE.within(300_000)));
  }
}
