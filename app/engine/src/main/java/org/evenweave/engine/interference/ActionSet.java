package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.foreign.ForeignAction;

/** The actions that entries write for the end of the pipeline. */
final class ActionSet {
  private ActionSet() {}

  /**
   * What is carried out at the end: fields come first and one output last, that of a group if there
   * is one, and of several the one that was written last (OpenFlow 1.3.5, section 5.10).
   */
  static List<ForeignAction> inOrder(List<ForeignAction> written) {
    ForeignAction last = null;
    List<ForeignAction> actions = new ArrayList<>();
    for (ForeignAction action : written) {
      boolean sends =
          action.kind() == ForeignAction.Kind.OUTPUT || action.kind() == ForeignAction.Kind.GROUP;
      boolean isKept =
          last == null
              || last.kind() == ForeignAction.Kind.OUTPUT
              || action.kind() == ForeignAction.Kind.GROUP;
      if (sends && isKept) {
        last = action;
      } else if (!sends) {
        actions.add(action);
      }
    }
    if (last != null) {
      actions.add(last);
    }
    return actions;
  }
}
