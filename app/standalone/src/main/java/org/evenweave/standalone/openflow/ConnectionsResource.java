package org.evenweave.standalone.openflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.tls.Certificates;

/** The OpenFlow connections of switches. */
@Path("connections")
@Produces(MediaType.APPLICATION_JSON)
public final class ConnectionsResource {
  private final Datapaths datapaths;

  ConnectionsResource(Datapaths datapaths) {
    this.datapaths = datapaths;
  }

  /**
   * {@code {"connections":[{"switch":"s1-0","datapathId":"0000000000000001",
   * "address":"10.0.0.1:4242","openflow":"1.3","master":true,
   * "certificate":{"sha256":"5f...","expires":"2027-01-01T00:00:00Z"},
   * "unknownMessages":[{"kind":"EXPERIMENTER 0x00002320 type 14","count":3}]}]}}, of each switch
   * that has told its datapath id. {@code master} is whether this controller is its master. Without
   * TLS there is no {@code certificate}.
   */
  @GET
  public String connections() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode rows = root.putArray("connections");
    List<SwitchConnection> all = datapaths.all();
    all.sort(Comparator.comparing(SwitchConnection::switchId));
    for (SwitchConnection connection : all) {
      ObjectNode row =
          rows.addObject()
              .put("switch", connection.switchId())
              .put("datapathId", String.format(Locale.ROOT, "%016x", connection.datapathId()))
              .put("address", String.valueOf(connection.address()).replaceFirst("^.*/", ""))
              .put("openflow", connection.version())
              .put("master", connection.isMaster());
      X509Certificate shown = connection.certificate();
      if (shown != null) {
        row.putObject("certificate")
            .put("sha256", Certificates.fingerprint(shown))
            .put("expires", shown.getNotAfter().toInstant().toString());
      }
      ArrayNode unknown = row.putArray("unknownMessages");
      connection
          .foreignMessages()
          .forEach((kind, count) -> unknown.addObject().put("kind", kind).put("count", count));
    }
    return root.toString();
  }
}
