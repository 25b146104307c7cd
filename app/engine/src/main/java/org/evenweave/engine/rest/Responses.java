package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.ClientErrorException;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.core.EntityTag;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.config.CheckedJson;
import org.evenweave.engine.status.EngineView;

/** Helpers of all resources: validators, paging, and error messages. */
final class Responses {
  static final int LONGEST_PAGE = 10_000;

  /** Revisions begin again with every start; a client may remember those of another. */
  private static final String START =
      Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

  private Responses() {}

  /** The answer, or 304 for a client that has it already (RFC 9110, section 13). */
  static Response tagged(Request request, EngineView view, Supplier<String> body) {
    return tagged(request, view.revision(), body);
  }

  /**
   * @param revision another for every other answer
   */
  static Response tagged(Request request, long revision, Supplier<String> body) {
    EntityTag tag = new EntityTag(START + "-" + revision);
    Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
    return (unchanged != null ? unchanged : Response.ok(body.get())).tag(tag).build();
  }

  /**
   * A part of a list. Notes in the answer how long all of it is and, unless it ends here, where the
   * next part begins.
   */
  static <T> List<T> page(List<T> all, int offset, int limit, ObjectNode answer) {
    requireNotNegative("offset", offset);
    requireLimit(limit);
    int from = Math.min(offset, all.size());
    int to = Math.min(from + limit, all.size());
    answer.put("total", all.size());
    if (to < all.size()) {
      answer.put("next", to);
    }
    return all.subList(from, to);
  }

  static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new BadRequestException(name + " must not be negative, and is " + value);
    }
  }

  static void requireLimit(int limit) {
    if (limit < 1 || limit > LONGEST_PAGE) {
      throw new BadRequestException("limit must be 1 to " + LONGEST_PAGE + ", and is " + limit);
    }
  }

  /**
   * What a client gets whose body is refused: 400 if its schema does not allow it, so that a client
   * can tell beforehand, and otherwise 409.
   */
  static ClientErrorException refusal(IllegalArgumentException problem) {
    return problem instanceof CheckedJson.FormException
        ? new BadRequestException(problem.getMessage())
        : conflict(problem.getMessage());
  }

  static ClientErrorException conflict(String message) {
    return new ClientErrorException(message, Response.Status.CONFLICT);
  }

  /** The number of a switch that is there. */
  static int requireSwitch(EngineView view, String switchId) {
    if (!view.snapshot().isPresent(switchId)) {
      throw new NotFoundException("no switch \"" + switchId + "\" is connected");
    }
    return view.snapshot().fabric().indexOf(switchId);
  }
}
