package org.evenweave.standalone.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;

/** Gathers a whole request, so that no thread is held by one that is incomplete. */
final class RequestGatherer extends HttpObjectAggregator {
  private final int maxBodyBytes;

  RequestGatherer(int maxBodyBytes) {
    super(maxBodyBytes, true);
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
    JsonResponses.refuse(
        context,
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the body must be at most " + maxBodyBytes + " bytes");
  }

  /** The answer to what the codec could not decode. */
  static void refuse(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      JsonResponses.refuse(context, HttpResponseStatus.REQUEST_URI_TOO_LONG, "the URI is too long");
    } else if (cause instanceof TooLongHttpHeaderException) {
      JsonResponses.refuse(
          context, HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too large");
    } else {
      JsonResponses.refuse(
          context, HttpResponseStatus.BAD_REQUEST, "the HTTP request is malformed");
    }
  }
}
