package org.evenweave.standalone.controller;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs something at SIGHUP, by which the virtual machine would end. The interface for that is in
 * every JDK, in the module jdk.unsupported, but javac warns of each use; so it is looked up.
 */
public final class Hangup {
  private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

  private Hangup() {}

  /**
   * From now on SIGHUP does not end the process.
   *
   * @param action runs for each signal, on a thread of its own
   */
  public static void runs(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object handling =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  action.run();
                  return null;
                }
                return method.getName().equals("equals")
                    ? (Object) (proxy == arguments[0])
                    : method.getName().equals("hashCode")
                        ? (Object) System.identityHashCode(proxy)
                        : (Object) "reload at SIGHUP";
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handling);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.warn("SIGHUP ends the controller in this Java runtime: {}", String.valueOf(e.getCause()));
    }
  }
}
