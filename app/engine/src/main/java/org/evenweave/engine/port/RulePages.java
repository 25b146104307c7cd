package org.evenweave.engine.port;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The pages of {@link RouteRules} that were made last for the prefixes of one index. Most switches
 * of a fabric have the same rules for most prefixes, and an event changes them alike, one switch
 * after the other: an equal page is one object for all of them. Rules are equal here if they are
 * one object. Safe for many threads.
 */
final class RulePages {
  private final AtomicReferenceArray<FlowRule[]> latest;

  /**
   * @param count of pages
   */
  RulePages(int count) {
    latest = new AtomicReferenceArray<>(count);
  }

  /**
   * A page with the same rules: the latest in its place, or this one.
   *
   * @param page not to be changed any more
   */
  FlowRule[] shared(int number, FlowRule[] page) {
    FlowRule[] known = edited(number, page, 0, page[0]);
    if (known != null) {
      return known;
    }
    latest.setRelease(number, page);
    return page;
  }

  /** The latest page in its place, if its rules are those of a page with another one in a slot. */
  FlowRule[] edited(int number, FlowRule[] page, int slot, FlowRule rule) {
    FlowRule[] known = latest.get(number);
    if (known == null || known[slot] != rule) {
      return null;
    }
    for (int i = 0; i < page.length; i++) {
      if (known[i] != page[i] && i != slot) {
        return null;
      }
    }
    return known;
  }
}
