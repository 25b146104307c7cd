package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceNotFoundException;

/** How commands end that have nothing to print. */
class FailedCommandTest {
  /**
   * Karaf's {@code ShellUtil.logException} goes by the simple name of the class: any other is
   * logged as an error with its stack trace.
   */
  private static final String WITHOUT_A_STACK_TRACE = "CommandException";

  private static final class Absent extends EvenweaveCommand {
    @Override
    protected JsonNode data() {
      throw new ServiceNotFoundException("Service org.evenweave.app.rest.RestClient not found");
    }

    @Override
    protected List<String> lines(JsonNode data) {
      return List.of();
    }
  }

  @Test
  void aCommandOfAnApplicationThatStartsSaysSoAndFails() {
    Exception e = assertThrows(CommandException.class, new Absent()::doExecute);
    assertEquals(EvenweaveCommand.NOT_READY, e.getMessage());
  }

  @Test
  void anArgumentThatIsNoJsonIsRefusedWithItsPlace() {
    Exception e =
        assertThrows(CommandException.class, () -> JsonArgument.put("sdd/triggers", "[{name:a}]"));
    assertEquals(
        "invalid JSON at character 4 of [{name:a}]; put it in single quotes", e.getMessage());
    e = assertThrows(CommandException.class, () -> JsonArgument.put("sdd/triggers", ""));
    assertEquals("the JSON is empty", e.getMessage());
  }

  @Test
  void aVerificationThatFailsIsNotLoggedWithAStackTrace() {
    ObjectNode data = JsonNodeFactory.instance.objectNode().put("ok", false);
    data.putArray("violations").add("a loop");
    data.putArray("differences");
    data.putArray("unread");
    Exception e = assertThrows(Exception.class, () -> new VerifyCommand().conclude(data));
    assertEquals(WITHOUT_A_STACK_TRACE, e.getClass().getSimpleName());
    assertEquals("problems were found", e.getMessage());
  }
}
