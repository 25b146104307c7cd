package org.evenweave.engine.events;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.nib.UnexpectedLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records switches and links that appear or disappear, and each unexpected link once. Belongs to
 * the loop.
 */
public final class TopologyEvents {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyEvents.class);

  /** Hosts that relay probes can make as many links as there are pairs of edge ports. */
  private static final int MAX_REPORTED = 1024;

  private final EventLog events;
  private final Set<UnexpectedLink> reported = new HashSet<>();
  private Snapshot followed;

  /**
   * @param first what nothing is written of
   */
  public TopologyEvents(EventLog events, Snapshot first) {
    this.events = events;
    this.followed = first;
  }

  /**
   * Writes down what changed since the snapshot before, as noticed at a time.
   *
   * @return whether this is another snapshot
   */
  public boolean follow(Snapshot now, long atNanos) {
    Snapshot before = followed;
    if (now == before) {
      return false;
    }
    followed = now;
    if (!now.hasSwitchesOf(before)) {
      add(switchesOnlyIn(before, now), Event.Kind.SWITCH_DOWN, atNanos);
      add(switchesOnlyIn(now, before), Event.Kind.SWITCH_UP, atNanos);
    }
    add(linksOnlyIn(before, now), Event.Kind.LINK_DOWN, atNanos);
    add(linksOnlyIn(now, before), Event.Kind.LINK_UP, atNanos);
    if (!now.unexpectedLinks().equals(before.unexpectedLinks())) {
      addUnexpected(now.unexpectedLinks(), atNanos);
    }
    return true;
  }

  private void addUnexpected(List<UnexpectedLink> links, long atNanos) {
    for (UnexpectedLink link : links) {
      if (reported.size() < MAX_REPORTED && reported.add(link)) {
        Event.Kind kind = link.miscabled() ? Event.Kind.MISCABLED_LINK : Event.Kind.UNEXPECTED_LINK;
        LOG.warn("{} {}; it carries no traffic", kind.text(), link);
        events.add(kind, link.toString(), atNanos);
      }
    }
  }

  private void add(List<String> subjects, Event.Kind kind, long atNanos) {
    for (String subject : new TreeSet<>(subjects)) {
      LOG.info("{} {}", kind.text(), subject);
      events.add(kind, subject, atNanos);
    }
  }

  private static List<String> switchesOnlyIn(Snapshot one, Snapshot other) {
    List<String> only = new ArrayList<>(one.switchIds());
    only.removeIf(other::isPresent);
    return only;
  }

  /** The names of links that are up in one snapshot and not in another. */
  private static List<String> linksOnlyIn(Snapshot one, Snapshot other) {
    return one.linksOnlyUpHere(other)
        .mapToObj(one.physical()::linkName)
        .collect(Collectors.toList());
  }
}
