package org.evenweave.standalone.keys;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.evenweave.standalone.access.Role;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.Participant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave keys make}: makes keys and certificates. */
@Command(
    name = "make",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Makes keys and certificates with openssl, valid for a year.",
      "In a new folder it makes two certificate authorities too: controllers-ca for controllers,"
          + " clients-ca for all others; ca.pem contains both. Each NAME gets NAME.pem and NAME.key."
          + " An authority's .key suffices to make a certificate for any name: store the folder"
          + " where no host, switch or operator can read it, and copy to each only its own files."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave keys make keys --controller controller=10.0.0.1,fabric.example",
      "  evenweave keys make keys --switch s1-0=1 --switch ovs2=a1,a2",
      "  evenweave keys make keys --operator alice=configure --operator bob=read",
      "  evenweave keys make keys h0 h1 h2 h3 cs"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the folder cannot be used, a name is invalid or exists already, or openssl failed",
      "2:wrong options"
    })
public final class MakeKeysCommand implements Callable<Integer> {
  private static final Pattern DATAPATH_ID = Pattern.compile("(?:0x)?([0-9a-fA-F]{1,16})");

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "A folder that is new or empty, or that this command made.")
  private Path folder;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME",
      description = "Hosts, edges and the circuit switch.")
  private List<String> names = List.of();

  @Option(
      names = "--controller",
      paramLabel = "NAME=ADDRESS,...",
      description =
          "The files of a controller, and the addresses and host names by which REST"
              + " clients reach it; a new folder always has \"controller\".")
  private Map<String, String> controllers = new TreeMap<>();

  @Option(
      names = "--switch",
      paramLabel = "NAME=DPID,...",
      description =
          "A switch and its datapath id, up to 16 hex digits; repeatable. A machine with"
              + " several bridges has one certificate for all their datapath ids.")
  private Map<String, String> switches = new TreeMap<>();

  @Option(
      names = "--operator",
      paramLabel = "NAME=ROLE",
      description = "A user of REST with the role read, operate or configure; repeatable.")
  private Map<String, String> operators = new TreeMap<>();

  @Override
  public Integer call() {
    List<Participant> wanted = new ArrayList<>();
    controllers.forEach(
        (name, addresses) ->
            wanted.add(
                Participant.controller(
                    name,
                    Arrays.stream(addresses.split(","))
                        .map(this::address)
                        .collect(Collectors.toList()))));
    switches.forEach((name, id) -> wanted.add(Participant.switchOf(name, datapathIds(id))));
    operators.forEach((name, role) -> wanted.add(Participant.operator(name, role(role))));
    names.forEach(name -> wanted.add(Participant.client(name)));
    try {
      KeyFolder.make(folder, wanted);
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }

  private String address(String text) {
    if (!text.matches("[0-9a-fA-F:.]+|[A-Za-z0-9._-]+")) {
      throw new ParameterException(
          spec.commandLine(),
          "--controller: \"" + text + "\" is neither an address nor a host name");
    }
    return text;
  }

  private List<Long> datapathIds(String list) {
    return Arrays.stream(list.split(",")).map(this::datapathId).collect(Collectors.toList());
  }

  private long datapathId(String text) {
    Matcher form = DATAPATH_ID.matcher(text);
    if (!form.matches()) {
      throw new ParameterException(
          spec.commandLine(),
          "--switch: \"" + text + "\" is not a datapath id of up to 16 hex digits");
    }
    return Long.parseUnsignedLong(form.group(1), 16);
  }

  private String role(String text) {
    return Role.named(text)
        .map(Role::text)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--operator: \"" + text + "\" is not a role: read, operate or configure"));
  }
}
