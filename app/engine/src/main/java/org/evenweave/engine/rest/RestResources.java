package org.evenweave.engine.rest;

import java.util.Set;
import org.evenweave.engine.Engine;

/** All REST resources of the engine, for a runtime to serve under its own root. */
public final class RestResources {
  private RestResources() {}

  /** JAX-RS singletons; each handles requests from many threads. */
  public static Set<Object> of(Engine engine) {
    return Set.of(
        new StatusResource(engine),
        new VersionResource(),
        new TopologyResource(engine),
        new InterfacesResource(engine),
        new GroupsResource(engine),
        new OversubscriptionResource(engine),
        new PathsResource(engine),
        new VerificationResource(engine),
        new AuditResource(engine),
        new EventsResource(engine),
        new EventStreamResource(engine),
        new ConfigurationResource(engine),
        new ExclusionsResource(engine),
        new DampingResource(engine),
        new LinksResource(engine),
        new LinkUseResource(engine),
        new StrategyResource(engine),
        new StrategiesResource(engine),
        new PacketsResource(engine),
        new TrafficResource(engine),
        new OpenApiResource(),
        new WhatIfResource(engine),
        new StripingResource());
  }

  /** What a runtime registers beside the resources, so that both answer alike. */
  public static Set<Object> providers() {
    return Set.of(new JsonErrors(), new UndeclaredMethods(), new WholeNumbers());
  }
}
