package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** A {@link FakeOpenFlowSwitch} that connects to a controller over a plain socket. */
final class LoopbackSwitch implements AutoCloseable {
  final FakeOpenFlowSwitch fake;
  private final Socket socket;
  private final Thread reader = new Thread(this::readAll, "loopback-switch");

  LoopbackSwitch(FakeOpenFlowSwitch fake, InetSocketAddress controller) throws IOException {
    this(fake, new Socket(controller.getAddress(), controller.getPort()));
  }

  /**
   * @param socket connected to the controller
   */
  LoopbackSwitch(FakeOpenFlowSwitch fake, Socket socket) throws IOException {
    this.fake = fake;
    this.socket = socket;
    socket.setTcpNoDelay(true);
    reader.setDaemon(true);
    reader.start();
    fromSwitch(FakeOpenFlowSwitch.hello());
  }

  /** As the controller sees it. */
  String address() {
    return String.valueOf(socket.getLocalSocketAddress());
  }

  synchronized void fromSwitch(OFMessage message) throws IOException {
    fromSwitch(Wire.ofSwitch(message));
  }

  synchronized void fromSwitch(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Returns when the controller has closed the connection. */
  void awaitEnd() throws InterruptedException {
    reader.join();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void readAll() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] header = new byte[OpenFlow13.HEADER_BYTES];
        in.readFully(header);
        ByteBuf frame = Unpooled.buffer().writeBytes(header);
        byte[] body = new byte[frame.getUnsignedShort(2) - header.length];
        in.readFully(body);
        if (Wire.isMonitorRequest(ByteBufUtil.getBytes(frame.writeBytes(body)))) {
          continue;
        }
        byte[] sent = Wire.readable(ByteBufUtil.getBytes(frame));
        OFMessage message = OpenFlow13.FACTORY.getReader().readFrom(Unpooled.wrappedBuffer(sent));
        for (OFMessage answer : fake.answers(message)) {
          fromSwitch(answer);
        }
      }
    } catch (IOException e) {
      // The connection has ended, as every connection does.
    } catch (OFParseError e) {
      throw new AssertionError("the controller sent what is no OpenFlow 1.3", e);
    }
  }
}
