package org.evenweave.standalone.client;

import picocli.CommandLine.Command;

/** {@code evenweave undrain}: puts switches and links back into service. */
@Command(
    name = "undrain",
    description = "Puts drained switches and links back into service.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave undrain s2-1"})
public final class UndrainCommand extends ExclusionCommand {
  public UndrainCommand() {
    super("DELETE");
  }
}
