package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.tls.TlsIdentity;

/**
 * Reads clients' names, which are those in their certificates: a peer with the controller's name
 * counts as another controller.
 */
final class ClientNames {
  private ClientNames() {}

  static List<String> of(JsonNode names, String field) throws SddConfigException {
    List<String> clients = new ArrayList<>();
    for (JsonNode name : names) {
      String at = field + "[" + clients.size() + "]";
      if (clients.contains(name.textValue())) {
        throw new SddConfigException(at, "\"" + name.textValue() + "\" occurs twice");
      }
      clients.add(of(name.textValue(), at));
    }
    return clients;
  }

  static String of(String name, String field) throws SddConfigException {
    if (TlsIdentity.CONTROLLER.equals(name)) {
      throw new SddConfigException(
          field, "must not be \"" + name + "\", which is the controller's name in certificates");
    }
    return name;
  }
}
