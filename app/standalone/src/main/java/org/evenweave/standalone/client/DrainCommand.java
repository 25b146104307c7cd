package org.evenweave.standalone.client;

import picocli.CommandLine.Command;

/** {@code evenweave drain}: takes traffic off switches and links. */
@Command(
    name = "drain",
    description = {
      "Takes traffic off switches and links without loss, and waits until it is off.",
      "Prints the switches and links that are excluded afterwards."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave drain s2-1", "  evenweave drain s1-0/1 s1-0/2"})
public final class DrainCommand extends ExclusionCommand {
  public DrainCommand() {
    super("PUT");
  }
}
