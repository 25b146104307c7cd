package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import org.evenweave.engine.rest.AuditEntry;
import org.onosproject.security.AuditService;

/**
 * Records requests that change something in ONOS's own audit log, if the operator has switched that
 * on. ONOS records requests to its own resources, and none to those of applications.
 */
final class ChangeAudit {
  private final Supplier<AuditService> onos;

  /**
   * @param onos gives null while ONOS has no such service
   */
  ChangeAudit(Supplier<AuditService> onos) {
    this.onos = onos;
  }

  /** Adds a request that was answered, also one that was refused for want of a role. */
  void add(HttpServletRequest request, byte[] body, int status) {
    AuditService log = onos.get();
    if (log == null || !log.isAuditing()) {
      return;
    }
    String query = request.getQueryString();
    String uri = request.getRequestURI() + (query == null ? "" : "?" + query);
    ObjectNode entry = AuditEntry.of(request.getRemoteAddr(), request.getMethod(), uri, status);
    AuditEntry.addBody(entry, ByteBuffer.wrap(body));
    Principal user = request.getUserPrincipal();
    log.logUserAction(user == null ? "" : user.getName(), entry.toString());
  }
}
