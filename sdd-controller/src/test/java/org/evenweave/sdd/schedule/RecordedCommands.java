package org.evenweave.sdd.schedule;

import java.util.ArrayList;
import java.util.List;

/** Records the commands of recipes. */
public final class RecordedCommands implements SddApi, QueueControl {
  public final List<String> commands = new ArrayList<>();

  @Override
  public void openQueue(int host, int queue, NextFlow nextFlow) {
    commands.add("open " + host + "/" + queue + " " + nextFlow);
  }

  @Override
  public void start(int host, int queue) {
    commands.add("start " + host + "/" + queue);
  }

  @Override
  public void stop(int host, int queue) {
    commands.add("stop " + host + "/" + queue);
  }

  @Override
  public void addDequeueCondition(int host, int queue, String condition) {
    commands.add("add " + host + "/" + queue + " " + condition);
  }

  @Override
  public void removeDequeueCondition(int host, int queue, String condition) {
    commands.add("remove " + host + "/" + queue + " " + condition);
  }
}
