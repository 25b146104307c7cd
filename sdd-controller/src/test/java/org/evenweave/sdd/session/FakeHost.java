package org.evenweave.sdd.session;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.MessageReader;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.Action;
import org.evenweave.sdd.protocol.wire.AddDequeueConditionDecoder;
import org.evenweave.sdd.protocol.wire.CreateQueueDecoder;
import org.evenweave.sdd.protocol.wire.EndSetupDecoder;
import org.evenweave.sdd.protocol.wire.MapFlowDecoder;
import org.evenweave.sdd.protocol.wire.QueryQueuesDecoder;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.sdd.protocol.wire.RemoveQueueDecoder;
import org.evenweave.sdd.protocol.wire.SetPacketSlotsDecoder;
import org.evenweave.sdd.protocol.wire.SetScheduleDecoder;
import org.evenweave.sdd.protocol.wire.StartStopDecoder;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.UnmapFlowDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;

/**
 * A host that implements the protocol and has no packets: it answers each request, records commands
 * and slots, and reports the demand that the test sets.
 */
public final class FakeHost implements AutoCloseable {

  /** A START, a STOP or a slot, and when it came. */
  public static final class Command {
    public final int queue;
    public final boolean start;
    public final long fromNs;
    public final long untilNs;

    private Command(int queue, boolean start, long fromNs, long untilNs) {
      this.queue = queue;
      this.start = start;
      this.fromNs = fromNs;
      this.untilNs = untilNs;
    }

    @Override
    public String toString() {
      return (start ? "START " : "STOP ") + queue + " [" + fromNs + ", " + untilNs + ")";
    }
  }

  public final String name;
  public final List<Command> commands = new CopyOnWriteArrayList<>();
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** Each with its queue, start, end and rate. */
  public final List<long[]> packetSlots = new CopyOnWriteArrayList<>();

  private final DatagramSocket datagrams;
  private final FakeClient client;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong refused = new AtomicLong();
  private volatile String refusal;
  private volatile boolean synchronised = true;
  private volatile CountDownLatch answers = new CountDownLatch(0);

  private ControlPacketReader packets;
  private int number = -1;
  private long epochNs;
  private long periodNs;

  /** Lets tests lose datagrams, by their count of arrivals. */
  public volatile Predicate<Long> lose = arrival -> false;

  private long arrivals;
  private volatile byte[] lastDatagram;

  public FakeHost(InetSocketAddress server, Path keys, String name, int lastByte)
      throws IOException, GeneralSecurityException, ProtocolException {
    this.name = name;
    datagrams = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    client = greet(server, keys, lastByte);
    if (number < 0) {
      datagrams.close();
      ended.countDown();
      return;
    }
    thread("fake-session", this::answer);
    thread("fake-datagrams", this::listen);
    client.repeat(this::clockStatus);
  }

  /** Connects again, as hosts do, if it is not welcomed. */
  private FakeClient greet(InetSocketAddress server, Path keys, int lastByte)
      throws IOException, GeneralSecurityException, ProtocolException {
    Frame hello =
        ClientFrames.hostHello(name, 1, 10_000_000_000L, datagrams.getLocalPort(), lastByte);
    while (true) {
      FakeClient connected = FakeClient.greeting(server, keys, name, hello);
      FakeClient.Message answer = connected.receive();
      if (answer != null) {
        welcome(answer);
        return connected;
      }
      connected.close();
    }
  }

  private static void thread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void welcome(FakeClient.Message message) {
    MessageReader at = message.at;
    if (message.template == RefusedDecoder.TEMPLATE_ID) {
      refusal =
          new RefusedDecoder()
              .wrap(message.buffer, at.bodyOffset(), at.blockLength(), at.version())
              .text();
      return;
    }
    WelcomeDecoder welcome =
        new WelcomeDecoder().wrap(message.buffer, at.bodyOffset(), at.blockLength(), at.version());
    packets = new ControlPacketReader(welcome);
    epochNs = welcome.epochNs();
    periodNs = welcome.periodNs();
    number = (int) welcome.number();
  }

  /** Why the controller refused the host, or null. */
  public String refusal() {
    return refusal;
  }

  public int number() {
    return number;
  }

  public long periodNow() {
    return Math.floorDiv(System.nanoTime() - epochNs, periodNs);
  }

  public long refused() {
    return refused.get();
  }

  public ReplayWindow window() {
    return packets.window();
  }

  /** The last datagram that was accepted. */
  public byte[] lastDatagram() {
    return lastDatagram;
  }

  public int datagramPort() {
    return datagrams.getLocalPort();
  }

  public void send(Frame frame) throws IOException {
    client.send(frame);
  }

  public FakeClient client() {
    return client;
  }

  /** What the host says of its clock from now on. */
  public void clock(boolean isSynchronised) {
    synchronised = isSynchronised;
  }

  /** From now on the host answers no query until the latch is down. */
  public void answersBehind(CountDownLatch latch) {
    answers = latch;
  }

  private Frame clockStatus() {
    return ClientFrames.clockStatus(System.nanoTime(), 0, 100, synchronised);
  }

  /**
   * @param rows of queue, queued, received and sent bytes
   */
  public void report(long period, long[]... rows) throws IOException {
    client.send(
        ClientFrames.demandReport(
            period, System.nanoTime(), window().highest(), window().lost(), refused.get(), rows));
  }

  public boolean awaitEnd() throws InterruptedException {
    return ended.await(SessionBed.HANG_SECONDS, TimeUnit.SECONDS);
  }

  private void answer() {
    try {
      for (FakeClient.Message m = client.receive(); m != null; m = client.receive()) {
        MessageReader at = m.at;
        // Every request begins with its id.
        long id = m.buffer.getLong(at.bodyOffset(), java.nio.ByteOrder.LITTLE_ENDIAN);
        client.send(answerTo(m, at, id));
      }
    } catch (IOException | ProtocolException | InterruptedException e) {
      requests.add("failed: " + e.getMessage());
    }
    ended.countDown();
    datagrams.close();
  }

  private Frame answerTo(FakeClient.Message m, MessageReader at, long id)
      throws InterruptedException {
    int body = at.bodyOffset();
    int block = at.blockLength();
    int version = at.version();
    switch (m.template) {
      case CreateQueueDecoder.TEMPLATE_ID:
        CreateQueueDecoder create = new CreateQueueDecoder().wrap(m.buffer, body, block, version);
        requests.add("create " + create.queue() + " " + create.network());
        break;
      case MapFlowDecoder.TEMPLATE_ID:
        MapFlowDecoder map = new MapFlowDecoder().wrap(m.buffer, body, block, version);
        requests.add("map " + map.match().destination(15) + " to " + map.queue());
        break;
      case UnmapFlowDecoder.TEMPLATE_ID:
        UnmapFlowDecoder unmap = new UnmapFlowDecoder().wrap(m.buffer, body, block, version);
        requests.add("unmap " + unmap.match().destination(15));
        break;
      case RemoveQueueDecoder.TEMPLATE_ID:
        RemoveQueueDecoder remove = new RemoveQueueDecoder().wrap(m.buffer, body, block, version);
        requests.add("remove " + remove.queue());
        break;
      case AddDequeueConditionDecoder.TEMPLATE_ID:
        AddDequeueConditionDecoder add =
            new AddDequeueConditionDecoder().wrap(m.buffer, body, block, version);
        String condition = add.condition();
        requests.add("condition " + add.queue() + " " + condition);
        if (condition.contains("?")) {
          return ClientFrames.reply(
              id, Status.CONDITION, condition.indexOf('?'), 0, "\"?\" is not in the grammar");
        }
        break;
      case QueryQueuesDecoder.TEMPLATE_ID:
        requests.add("query");
        answers.await();
        return ClientFrames.queueStats(id, System.nanoTime(), 3);
      case SetScheduleDecoder.TEMPLATE_ID:
        SetScheduleDecoder set = new SetScheduleDecoder().wrap(m.buffer, body, block, version);
        requests.add("schedule of " + set.period());
        for (SetScheduleDecoder.SlotsDecoder slot : set.slots()) {
          commands.add(new Command((int) slot.queue(), true, slot.startNs(), slot.endNs()));
        }
        break;
      case SetPacketSlotsDecoder.TEMPLATE_ID:
        SetPacketSlotsDecoder packets =
            new SetPacketSlotsDecoder().wrap(m.buffer, body, block, version);
        for (SetPacketSlotsDecoder.SlotsDecoder slot : packets.slots()) {
          packetSlots.add(new long[] {slot.queue(), slot.startNs(), slot.endNs(), slot.rateBps()});
        }
        break;
      case EndSetupDecoder.TEMPLATE_ID:
        requests.add("end setup");
        break;
      default:
        requests.add("template " + m.template);
    }
    return ClientFrames.reply(id, Status.OK, 0, 5, "", 1, 2);
  }

  private void listen() {
    byte[] bytes = new byte[2000];
    while (!datagrams.isClosed()) {
      DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
      try {
        datagrams.receive(packet);
      } catch (SocketException e) {
        return;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      if (!lose.test(++arrivals)) {
        byte[] datagram = Arrays.copyOf(bytes, packet.getLength());
        arrived(datagram);
      }
    }
  }

  private void arrived(byte[] datagram) {
    long nowNs = System.nanoTime();
    StartStopDecoder message = packets.read(datagram);
    if (message == null) {
      refused.incrementAndGet();
      return;
    }
    lastDatagram = datagram;
    for (StartStopDecoder.CommandsDecoder command : message.commands()) {
      commands.add(
          new Command(
              (int) command.queue(), command.action() == Action.START, nowNs, command.untilNs()));
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    datagrams.close();
  }
}
