package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * A group of each switch, or null, by switch number. Immutable. Kept in pages, of which an {@link
 * Editor} copies only those that it changes: most events change few groups of a class.
 */
final class PagedGroups {
  private static final int PAGE_BITS = 6;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  private final IdealGroup[][] pages;

  private PagedGroups(IdealGroup[][] pages) {
    this.pages = pages;
  }

  /** Null for every switch. */
  static PagedGroups none(int switchCount) {
    IdealGroup[][] pages = new IdealGroup[(switchCount + PAGE_SIZE - 1) >> PAGE_BITS][];
    Arrays.fill(pages, new IdealGroup[PAGE_SIZE]);
    return new PagedGroups(pages);
  }

  IdealGroup get(int s) {
    return pages[s >> PAGE_BITS][s & PAGE_SIZE - 1];
  }

  /** Makes the next version; used once, by one thread. */
  static final class Editor {
    private final PagedGroups from;
    private IdealGroup[][] pages;

    Editor(PagedGroups from) {
      this.from = from;
      pages = from.pages;
    }

    IdealGroup get(int s) {
      return pages[s >> PAGE_BITS][s & PAGE_SIZE - 1];
    }

    void set(int s, IdealGroup group) {
      if (get(s) == group) {
        return;
      }
      int p = s >> PAGE_BITS;
      if (pages == from.pages) {
        pages = pages.clone();
      }
      if (pages[p] == from.pages[p]) {
        pages[p] = pages[p].clone();
      }
      pages[p][s & PAGE_SIZE - 1] = group;
    }

    /** The groups; those that it started from if none was changed. */
    PagedGroups done() {
      return pages == from.pages ? from : new PagedGroups(pages);
    }
  }
}
