package org.evenweave.app.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.evenweave.wcmp.weights.WeightRule;

/** Completes the names of strategies. */
@Service
public final class StrategyCompleter implements Completer {
  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    return new StringsCompleter(WeightRule.strategyNames()).complete(session, line, candidates);
  }
}
