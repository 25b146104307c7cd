package org.evenweave.metrics;

import javax.ws.rs.core.Response;

/** The answer to a scrape. Immutable. */
public final class Exposition {
  private final String contentType;
  private final String text;

  Exposition(String contentType, String text) {
    this.contentType = contentType;
    this.text = text;
  }

  /** The text, in the format of the Content-Type. */
  public String text() {
    return text;
  }

  /** The HTTP response with it. */
  public Response response() {
    return Response.ok(text).header("Content-Type", contentType).header("Vary", "Accept").build();
  }
}
