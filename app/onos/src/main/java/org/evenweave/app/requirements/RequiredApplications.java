package org.evenweave.app.requirements;

import org.onosproject.app.ApplicationAdminService;
import org.onosproject.core.Application;
import org.onosproject.core.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ONOS's applications without which this one does not work. ONOS activates them with it, and would
 * deactivate them with it too where nobody else has activated them: then devices leave ONOS, and
 * every other application loses them. So they are activated as by an operator, and stay.
 */
public final class RequiredApplications {
  private static final Logger LOG = LoggerFactory.getLogger(RequiredApplications.class);

  private final ApplicationAdminService applications;

  public RequiredApplications(ApplicationAdminService applications) {
    this.applications = applications;
  }

  /**
   * Has those that an application requires outlive it. Each instance of ONOS does, since each keeps
   * for itself on whose behalf an application is active.
   */
  public void retain(ApplicationId dependent) {
    Application application = applications.getApplication(dependent);
    if (application == null) {
      return; // It is being uninstalled.
    }
    for (String name : application.requiredApps()) {
      ApplicationId required = applications.getId(name);
      if (required == null) {
        LOG.warn("{} is not installed, and {} requires it", name, dependent.name());
      } else {
        applications.activate(required);
      }
    }
  }
}
