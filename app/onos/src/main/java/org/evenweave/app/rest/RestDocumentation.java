package org.evenweave.app.rest;

import org.onosproject.rest.ApiDocProvider;
import org.onosproject.rest.ApiDocService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Lists {@code apidoc/swagger.json} among ONOS's REST interfaces at /onos/v1/docs. */
@Component(immediate = true, service = RestDocumentation.class)
public final class RestDocumentation {
  private final ApiDocService docs;
  private final ApiDocProvider provider =
      new ApiDocProvider(
          "/onos/evenweave", "Evenweave REST API", RestDocumentation.class.getClassLoader());

  @Activate
  public RestDocumentation(@Reference ApiDocService docs) {
    this.docs = docs;
    docs.register(provider);
  }

  @Deactivate
  void deactivate() {
    docs.unregister(provider);
  }
}
