package org.evenweave.sdd.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.evenweave.sdd.handover.PolicyState;

/**
 * A connection between two controllers, whichever opened it. Both ends send operators' changes, and
 * every second the version that they have.
 */
final class ControllerLink extends SimpleChannelInboundHandler<ByteBuf> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long BEAT_SECONDS = 1;
  private static final long SILENCE_SECONDS = 5;

  /** Both documents of a policy, as long as REST takes them. */
  private static final int MAX_BYTES = 1 << 28;

  /** Less than any version: what is sent to this end may not be heard yet. */
  private static final long NOTHING = -1;

  private static final String POLICY = "policy";
  private static final String CONTROLLER = "controller";
  private static final String HAS = "has";
  private static final String IN_FORCE = "inForce";
  private static final String CONFIGURATION = "configuration";
  private static final String GENERATION = "generation";

  private final Controllers controllers;

  private Channel channel;
  private ScheduledFuture<?> beat;
  private boolean isLinked;
  private volatile long has = NOTHING;
  private volatile boolean inForce;

  /** Null until the other end has said it, which one of an earlier version does not. */
  private volatile String configuration;

  /** Why it ended, as far as this end knows. */
  private volatile String problem = "closed by the other end";

  ControllerLink(Controllers controllers) {
    this.controllers = controllers;
  }

  /** Cuts frames by their lengths and takes these off. */
  static LengthFieldBasedFrameDecoder frames() {
    return new LengthFieldBasedFrameDecoder(
        ByteOrder.LITTLE_ENDIAN,
        Integer.BYTES + MAX_BYTES,
        0,
        Integer.BYTES,
        0,
        Integer.BYTES,
        true);
  }

  /** Ends a connection in which nothing is heard. */
  static ReadTimeoutHandler silence() {
    return new ReadTimeoutHandler(SILENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Whether the other end has reported this version, or a later one. */
  boolean has(long version) {
    return has >= version;
  }

  /** Whether the other end has reported any version. */
  boolean hasReported() {
    return has > NOTHING;
  }

  /** Whether the version that the other end has is in force there. */
  boolean isInForce() {
    return inForce;
  }

  /** A digest of the other end's configuration; null if it has not said it. */
  String configuration() {
    return configuration;
  }

  /** The address of the other end. */
  SocketAddress from() {
    return channel.remoteAddress();
  }

  String problem() {
    return problem;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    channel = ctx.channel();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof SslHandshakeCompletionEvent)) {
      return;
    }
    SslHandshakeCompletionEvent handshake = (SslHandshakeCompletionEvent) event;
    if (!handshake.isSuccess()) {
      end(ctx, "TLS: " + handshake.cause().getMessage());
    } else if (!CertifiedName.isController(ctx.pipeline())) {
      end(ctx, "its certificate has another name than this controller's");
    } else {
      beat = ctx.executor().scheduleAtFixedRate(this::beat, 0, BEAT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void end(ChannelHandlerContext ctx, String why) {
    problem = why;
    ctx.close();
  }

  /** From any thread. */
  void send(PolicyState state) {
    ObjectNode message = JSON.createObjectNode();
    message.set(POLICY, state.json());
    write(message);
  }

  void close() {
    channel.close();
  }

  private void beat() {
    write(
        JSON.createObjectNode()
            .put(CONTROLLER, controllers.id())
            .put(HAS, isLinked ? controllers.newest().version() : NOTHING)
            .put(IN_FORCE, controllers.isInForce())
            .put(CONFIGURATION, controllers.configuration())
            .put(GENERATION, controllers.generation()));
  }

  private void write(ObjectNode message) {
    byte[] text = message.toString().getBytes(StandardCharsets.UTF_8);
    channel.writeAndFlush(
        channel
            .alloc()
            .buffer(Integer.BYTES + text.length)
            .writeIntLE(text.length)
            .writeBytes(text));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
    try {
      JsonNode message = JSON.readTree(frame.toString(StandardCharsets.UTF_8));
      if (message.path(CONTROLLER).asText().equals(controllers.id())) {
        // The end that connected ends it, once it has read this one's own.
        if (controllers.isThisOne(this)) {
          end(ctx, "it is this controller");
        }
        return;
      }
      // Not before: only now is it known that the other end has taken this one's certificate.
      if (!isLinked) {
        isLinked = true;
        controllers.add(this);
        send(controllers.newest());
      }
      if (message.has(POLICY)) {
        controllers.offered(PolicyState.of(message.get(POLICY)), this);
        beat();
      } else {
        inForce = message.path(IN_FORCE).asBoolean();
        configuration = message.path(CONFIGURATION).textValue();
        has = message.path(HAS).asLong();
        controllers.leads(message.path(GENERATION).asLong());
        controllers.heard(this, message.path(CONTROLLER).asText());
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      end(ctx, "a message cannot be read: " + e.getMessage());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (beat != null) {
      beat.cancel(false);
    }
    controllers.remove(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(
        ctx,
        cause instanceof ReadTimeoutException
            ? "nothing received for " + SILENCE_SECONDS + " s"
            : String.valueOf(cause.getMessage()));
  }
}
