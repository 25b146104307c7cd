package org.evenweave.standalone.openflow;

import io.netty.handler.codec.DecoderException;

/**
 * Bytes that are no OpenFlow message of the version agreed on. The connection they came on cannot
 * be trusted further.
 */
final class MalformedMessageException extends DecoderException {
  MalformedMessageException(String problem) {
    super(problem);
  }

  MalformedMessageException(String problem, Throwable cause) {
    super(problem, cause);
  }
}
