package org.evenweave.standalone.http;

import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.FilterChainEvent;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpEvents.IncomingHttpUpgradeEvent;
import org.glassfish.grizzly.http.HttpHeader;

/**
 * Ignores a client's wish to change the protocol, as a server may (RFC 9110, section 7.8). Without
 * this, Grizzly takes such a request's body for the other protocol's and waits for it in vain;
 * Java's own HttpClient offers HTTP/2 in this way by default.
 */
final class NoUpgrades extends BaseFilter {
  @Override
  public NextAction handleEvent(FilterChainContext context, FilterChainEvent event) {
    if (event instanceof IncomingHttpUpgradeEvent) {
      HttpHeader request = ((IncomingHttpUpgradeEvent) event).getHttpHeader();
      request.getUpgradeDC().recycle();
      request.setIgnoreContentModifiers(false);
    }
    return context.getInvokeAction();
  }
}
