package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactory;

class OpenflowjReleaseTest {
  @Test
  void thisRunHasTheReleaseThatThePomNames() {
    String path = OFFactory.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertEquals(
        "openflowj-" + System.getProperty("openflowj.release") + ".jar",
        path.substring(path.lastIndexOf('/') + 1));
  }
}
