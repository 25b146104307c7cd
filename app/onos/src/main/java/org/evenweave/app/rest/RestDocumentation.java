package org.evenweave.app.rest;

import org.onosproject.rest.AbstractApiDocRegistrator;
import org.onosproject.rest.ApiDocProvider;
import org.osgi.service.component.annotations.Component;

/** Has ONOS list {@code apidoc/swagger.json} among the REST interfaces at /onos/v1/docs. */
@Component(immediate = true, service = RestDocumentation.class)
public final class RestDocumentation extends AbstractApiDocRegistrator {
  public RestDocumentation() {
    super(
        new ApiDocProvider(
            "/onos/evenweave", "Evenweave REST API", RestDocumentation.class.getClassLoader()));
  }
}
