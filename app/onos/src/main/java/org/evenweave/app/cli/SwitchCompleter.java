package org.evenweave.app.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes switches, by ONOS's device ids and by the engine's switch ids. */
@Service
public final class SwitchCompleter implements Completer {
  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    return new StringsCompleter(SwitchResolver.here().all()).complete(session, line, candidates);
  }
}
