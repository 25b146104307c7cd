package org.evenweave.engine.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.evenweave.engine.config.CheckedJson;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.SwitchPort;

/** A hypothetical change of the network. Immutable. */
public final class Supposition {
  /** Single failures in one answer, unless asked for fewer. */
  private static final int MOST_FAILURES = 1000;

  private final List<String> switches = new ArrayList<>();
  private final List<SwitchPort> links = new ArrayList<>();
  private final List<Link> changed = new ArrayList<>();
  private final boolean everyFailure;
  private final int offset;
  private final int limit;

  /** A link that is added, or that has another speed. */
  static final class Link {
    final SwitchPort a;
    final SwitchPort b;
    final long bps;

    Link(SwitchPort a, SwitchPort b, long bps) {
      this.a = a;
      this.b = b;
      this.bps = bps;
    }
  }

  private Supposition(JsonNode node) {
    node.path("exclude").path("switches").forEach(id -> switches.add(id.textValue()));
    node.path("exclude").path("links").forEach(end -> links.add(endOf(end)));
    for (JsonNode link : node.path("links")) {
      changed.add(
          new Link(endOf(link.get("a")), endOf(link.get("b")), link.get("bps").longValue()));
    }
    everyFailure = node.path("everyFailure").asBoolean();
    offset = node.path("offset").asInt(0);
    limit = node.path("limit").asInt(MOST_FAILURES);
  }

  private static SwitchPort endOf(JsonNode end) {
    return SwitchPort.parse(end.textValue());
  }

  /**
   * Reads one.
   *
   * @param json {@code {"exclude":{"links":["s1-0/1"],"switches":["s2-1"]},
   *     "links":[{"a":"s1-0/5","b":"s2-0/7","bps":10000000000}],"everyFailure":true,
   *     "offset":0,"limit":1000}}, by {@code docs/schema/what-if.json}; all may be missing
   * @throws FabricException with the path of a field that is wrong
   */
  public static Supposition read(String json) {
    return new Supposition(CheckedJson.parse("what-if", "what-if", json));
  }

  /** The switches that would be drained. */
  List<String> switches() {
    return Collections.unmodifiableList(switches);
  }

  /** The links that would be drained, each by one of its ends. */
  List<SwitchPort> links() {
    return Collections.unmodifiableList(links);
  }

  /** The links that would be new or have another speed. */
  List<Link> changed() {
    return Collections.unmodifiableList(changed);
  }

  /** Whether to compute every single failure after the change too. */
  public boolean everyFailure() {
    return everyFailure;
  }

  /** The first of these failures. */
  public int offset() {
    return offset;
  }

  /** At most so many failures. */
  public int limit() {
    return limit;
  }
}
