package org.evenweave.standalone.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's manual page, as roff with the macros of man(7), from what its help says. */
final class ManPage {
  private final StringBuilder text = new StringBuilder();
  private final CommandSpec spec;
  private final Help help;

  private ManPage(CommandLine command) {
    spec = command.getCommandSpec();
    help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
  }

  static String of(CommandLine command) {
    ManPage page = new ManPage(command);
    page.write(command);
    return page.text.toString();
  }

  private void write(CommandLine command) {
    String name = spec.qualifiedName("-");
    List<String> description = lines(spec.usageMessage().description());
    macro("TH", name.toUpperCase(java.util.Locale.ROOT), "1", "", "Evenweave", "Evenweave");
    macro("SH", "NAME");
    line(name + " \\- " + escaped(firstSentence(description)));
    macro("SH", "SYNOPSIS");
    line(escaped(help.synopsis(0).strip().replaceAll("\\s+", " ")));
    macro("SH", "DESCRIPTION");
    description.forEach(each -> line(escaped(each)));
    options();
    if (!command.getSubcommands().isEmpty()) {
      macro("SH", "COMMANDS");
      for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
        CommandSpec other = below.getValue().getCommandSpec();
        item(
            other.qualifiedName("-") + "(1)",
            List.of(firstSentence(lines(other.usageMessage().description()))));
      }
    }
    if (!spec.usageMessage().exitCodeList().isEmpty()) {
      macro("SH", "EXIT STATUS");
      spec.usageMessage().exitCodeList().forEach((code, meaning) -> item(code, List.of(meaning)));
    }
    if (spec.usageMessage().footer().length > 0) {
      macro("SH", "EXAMPLES");
      macro("nf");
      lines(spec.usageMessage().footer()).forEach(each -> line(escaped(each)));
      macro("fi");
    }
    if (spec.parent() != null) {
      macro("SH", "SEE ALSO");
      line(spec.parent().qualifiedName("-") + "(1)");
    }
  }

  private void options() {
    if (spec.options().isEmpty() && spec.positionalParameters().isEmpty()) {
      return;
    }
    macro("SH", "OPTIONS");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      item(parameter.paramLabel(), described(parameter.description()));
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String label = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
        item(String.join(", ", option.names()) + label, described(option.description()));
      }
    }
  }

  private static List<String> described(String... description) {
    return lines(description);
  }

  private static List<String> lines(String... description) {
    List<String> lines = new ArrayList<>();
    for (String each : description) {
      String.format(Locale.ROOT, each).lines().forEach(lines::add);
    }
    return lines;
  }

  private static String firstSentence(List<String> description) {
    String all = String.join(" ", description);
    int end = all.indexOf(". ");
    return (end < 0 ? all : all.substring(0, end)).replaceAll("\\.$", "");
  }

  private void item(String term, List<String> meaning) {
    macro("TP");
    line("\\fB" + escaped(term) + "\\fR");
    line(meaning.isEmpty() ? "\\&" : escaped(String.join(" ", meaning)));
  }

  private void macro(String name, String... arguments) {
    text.append('.').append(name);
    for (String argument : arguments) {
      text.append(" \"").append(escaped(argument)).append('"');
    }
    text.append('\n');
  }

  private void line(String roff) {
    // A period or an apostrophe would begin a macro.
    text.append(roff.startsWith(".") || roff.startsWith("'") ? "\\&" : "")
        .append(roff)
        .append('\n');
  }

  private static String escaped(String plain) {
    return plain.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
  }
}
