package org.evenweave.sdd.protocol;

import java.lang.reflect.Proxy;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages of hosts, edges, circuit switches and other controllers to the SDD controller. */
public final class ClientMessageFuzz {
  private static final ClientMessages NOBODY =
      (ClientMessages)
          Proxy.newProxyInstance(
              ClientMessages.class.getClassLoader(),
              new Class<?>[] {ClientMessages.class},
              (proxy, method, arguments) -> {
                // Its text reads every field.
                String unused = String.valueOf(arguments[0]);
                return null;
              });

  private ClientMessageFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] frame) {
    try {
      new ClientMessageReader().read(new UnsafeBuffer(frame), 0, frame.length, NOBODY);
    } catch (ProtocolException e) {
      // Refused with a reason.
    }
  }
}
