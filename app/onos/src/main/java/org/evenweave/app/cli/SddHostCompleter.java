package org.evenweave.app.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.sdd.SddNetworkConfig;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.NetworkConfigService;

/** Completes the SDD controller's hosts, as the network configuration has them. */
@Service
public final class SddHostCompleter implements Completer {
  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    SddNetworkConfig config =
        EvenweaveCommand.get(NetworkConfigService.class)
            .getConfig(
                EvenweaveCommand.get(CoreService.class).getAppId(EvenweaveService.NAME),
                SddNetworkConfig.class);
    List<String> hosts = config == null ? List.of() : config.hosts();
    return new StringsCompleter(hosts).complete(session, line, candidates);
  }
}
