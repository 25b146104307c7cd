package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.onlab.osgi.ServiceDirectory;
import org.onosproject.ui.RequestHandler;
import org.onosproject.ui.UiConnection;
import org.onosproject.ui.UiMessageHandler;

/** The connection of one browser. */
final class Browser extends UiMessageHandler {
  /** What a handler must name and no browser sends: GUI2's client is ONOS's own. */
  private static final String UNUSED = "evenweaveUnused";

  private final Set<Browser> connected;

  /**
   * @param connected has this browser in it while it is connected
   */
  Browser(Set<Browser> connected) {
    this.connected = connected;
  }

  @Override
  public void init(UiConnection connection, ServiceDirectory directory) {
    super.init(connection, directory);
    connected.add(this);
  }

  @Override
  public void destroy() {
    connected.remove(this);
    super.destroy();
  }

  void send(ObjectNode message) {
    sendMessage(message);
  }

  @Override
  protected Collection<RequestHandler> createRequestHandlers() {
    return List.of(
        new RequestHandler(UNUSED) {
          @Override
          public void process(ObjectNode payload) {}
        });
  }
}
