package org.evenweave.standalone.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completions for the shell fish, for which picocli writes none. */
final class FishCompletion {
  private final StringBuilder text = new StringBuilder();
  private final String program;

  private FishCompletion(String program) {
    this.program = program;
  }

  /** The script for a command line with its subcommands. */
  static String of(CommandLine root) {
    FishCompletion completion = new FishCompletion(root.getCommandName());
    completion.text.append("complete -c ").append(completion.program).append(" -f\n");
    completion.add(root, new ArrayList<>());
    return completion.text.toString();
  }

  private void add(CommandLine command, List<String> path) {
    Map<String, CommandLine> subcommands = command.getSubcommands();
    String here = condition(path, subcommands);
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        addOption(option, here);
      }
    }
    subcommands.forEach(
        (name, subcommand) -> {
          line(here, " -a " + quoted(name), summary(subcommand.getCommandSpec()));
          List<String> below = new ArrayList<>(path);
          below.add(name);
          add(subcommand, below);
        });
  }

  /** In this command, and in none of those below it. */
  private static String condition(List<String> path, Map<String, CommandLine> subcommands) {
    List<String> conditions = new ArrayList<>();
    path.forEach(name -> conditions.add("__fish_seen_subcommand_from " + name));
    if (!subcommands.isEmpty()) {
      conditions.add("not __fish_seen_subcommand_from " + String.join(" ", subcommands.keySet()));
    }
    return conditions.isEmpty() ? "true" : String.join("; and ", conditions);
  }

  private void addOption(OptionSpec option, String condition) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      names.append(" -r");
      String label = option.paramLabel();
      if (label.equals("FILE") || label.equals("DIR") || label.equals("FOLDER")) {
        names.append(" -F");
      }
    }
    line(condition, names.toString(), String.join(" ", option.description()));
  }

  private void line(String condition, String what, String description) {
    text.append("complete -c ").append(program).append(" -n ").append(quoted(condition));
    text.append(what);
    if (!description.isEmpty()) {
      text.append(" -d ").append(quoted(plain(description)));
    }
    text.append('\n');
  }

  private static String summary(CommandSpec spec) {
    return String.join(" ", spec.usageMessage().description());
  }

  /** One sentence, without picocli's variables. */
  private static String plain(String description) {
    String sentence = description.replaceAll(" *\\([^()]*\\$\\{[^()]*\\)", "");
    int end = sentence.indexOf(". ");
    return (end < 0 ? sentence : sentence.substring(0, end + 1))
        .lines()
        .collect(Collectors.joining(" "))
        .replaceAll("[.:]$", "");
  }

  /** For fish, single quotes keep all but themselves and backslashes. */
  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
