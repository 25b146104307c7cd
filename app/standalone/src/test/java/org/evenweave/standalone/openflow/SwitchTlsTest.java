package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.standalone.TestKeys;
import org.evenweave.tls.Certificates;
import org.evenweave.tls.Handshakes;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches that connect by TLS, over loopback. */
class SwitchTlsTest {
  private static final String[] ANY = {"TLSv1.3", "TLSv1.2"};

  @TempDir static Path temporary;

  private static TestKeys keys;

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final List<LoopbackSwitch> switches = new ArrayList<>();
  private final Map<Long, String> configured = new ConcurrentHashMap<>();
  private TlsIdentity identity;
  private OpenFlowNetwork network;

  @BeforeAll
  static void make() throws IOException {
    keys = new TestKeys(temporary);
  }

  @BeforeEach
  void listen() throws IOException {
    identity = keys.controller();
    network = network(Duration.ofMinutes(10));
  }

  private OpenFlowNetwork network(Duration timeout) throws IOException {
    OpenFlowNetwork listening =
        new OpenFlowNetwork(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            id -> "s" + id,
            timeout,
            Duration.ofMinutes(10),
            MasterRule.CLAIM,
            new SwitchTls(
                identity,
                id ->
                    configured.containsKey(id)
                        ? config(configured.get(id)).switchCertificates().get("s")
                        : null));
    listening.setListener(
        new Ups() {
          @Override
          public void switchUp(String switchId, long atNanos) {
            calls.add("up " + switchId);
          }

          @Override
          public void switchDown(String switchId, long atNanos) {
            calls.add("down " + switchId);
          }
        });
    return listening;
  }

  private static EngineConfig config(String certificate) {
    return ConfigReader.parse(
        "{\"switches\":[{\"id\":\"s\",\"stage\":1,\"certificate\":\"" + certificate + "\"}]}");
  }

  @AfterEach
  void close() throws IOException {
    for (LoopbackSwitch each : switches) {
      each.close();
    }
    network.close();
  }

  private LoopbackSwitch connect(Socket socket, long datapathId) throws IOException {
    socket.connect(network.address());
    LoopbackSwitch connected = new LoopbackSwitch(new FakeOpenFlowSwitch(datapathId, 1), socket);
    switches.add(connected);
    return connected;
  }

  private LoopbackSwitch connect(String holder, long datapathId) throws IOException {
    return connect(keys.socketOf(holder, ANY), datapathId);
  }

  /**
   * The connection is ended, and the switch is not there. It may be ended before the switch has
   * sent all of its handshake or of its first message.
   */
  private void assertRefused(Socket socket, long datapathId)
      throws IOException, InterruptedException {
    try {
      connect(socket, datapathId).awaitEnd();
    } catch (IOException e) {
      socket.close(); // The controller has ended the connection already.
    }
    assertTrue(calls.isEmpty(), calls.toString());
  }

  private void assertRefused(String holder, long datapathId)
      throws IOException, InterruptedException {
    assertRefused(keys.socketOf(holder, ANY), datapathId);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aSwitchThatShowsItsOwnCertificateConnects(String protocol) throws Exception {
    connect(keys.socketOf("s1", protocol), 1);
    assertEquals("up s1", calls.take());
    assertEquals(
        Certificates.read(keys.folder.resolve("s1.pem")).get(0), network.certificates().get("s1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"s2", "h0", "alice", "controller"})
  void aCertificateOfSomebodyElseIsRefused(String holder) throws Exception {
    assertRefused(holder, 1);
  }

  @Test
  void whoHasNoCertificateOrSpeaksNoTlsIsRefused() throws Exception {
    assertRefused(new Socket(), 1);
    Path strangers = temporary.resolve("strangers");
    KeyFolder.makeClients(strangers, List.of("h0"));
    SSLSocket socket = (SSLSocket) TlsIdentity.read(strangers).socketFactory().createSocket();
    assertRefused(socket, 1); // or its holder refuses the controller, which is of another authority
  }

  @Test
  void whileASwitchIsConnectedNobodyElseTakesItsPlace() throws Exception {
    LoopbackSwitch first = connect("s1", 1);
    assertEquals("up s1", calls.take());
    first.fake.answersEchoes = false;
    assertRefused("s2", 1);
    assertRefused("h0", 1);
    connect("s2", 2);
    assertEquals("up s2", calls.take());
    assertEquals(2, network.certificates().size());
  }

  @Test
  void aConfiguredFingerprintOrNameIsTheOnlyOne() throws Exception {
    X509Certificate host = Certificates.read(keys.folder.resolve("h0.pem")).get(0);
    configured.put(1L, "sha256:" + Certificates.fingerprint(host));
    assertRefused("s1", 1);
    connect("h0", 1);
    assertEquals("up s1", calls.take());
    configured.put(2L, "CN=alice");
    assertRefused("s2", 2);
    connect("alice", 2);
    assertEquals("up s2", calls.take());
  }

  @Test
  void anotherConfiguredCertificateEndsTheConnectionWithTheOldOne() throws Exception {
    network.close();
    network = network(Duration.ofSeconds(2)); // of which half passes between two checks
    connect("s1", 1);
    assertEquals("up s1", calls.take());
    configured.put(1L, "CN=s1-new");
    assertEquals("down s1", calls.take());
    assertRefused("s1", 1);
  }

  @Test
  void aRevokedCertificateEndsItsConnectionAndIsRefused() throws Exception {
    network.close();
    network = network(Duration.ofSeconds(2)); // of which half passes between two checks
    connect("s2", 2);
    assertEquals("up s2", calls.take());
    KeyFolder.revoke(keys.folder, List.of("s2"));
    try {
      identity.reload();
      assertEquals("down s2", calls.take());
      assertRefused("s2", 2);
    } finally {
      KeyFolder.renew(keys.folder, List.of("s2")); // of which other tests show the certificate
    }
    connect("s2", 2);
    assertEquals("up s2", calls.take());
  }

  @Test
  void manyStrangersCloseTheirOwnConnectionsAndNotASwitchs() throws Exception {
    SSLSocket early = keys.socketOf("s1", ANY);
    early.connect(network.address());
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i <= ChannelSettings.MAX_UNPROVEN; i++) {
      Socket stranger = new Socket();
      stranger.bind(new InetSocketAddress("127.0.0." + (2 + i / 200), 0));
      stranger.connect(network.address());
      strangers.add(stranger);
    }
    strangers.get(0).getInputStream().readAllBytes(); // until its end
    switches.add(new LoopbackSwitch(new FakeOpenFlowSwitch(1, 1), early));
    assertEquals("up s1", calls.take());
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  @Test
  void aSwitchConnectsDuringAFloodOfHandshakes() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 2 * Handshakes.AT_ONCE; i++) {
      Socket stranger = new Socket();
      stranger.bind(new InetSocketAddress("127.0.0." + (2 + i / 200), 0));
      stranger.connect(network.address());
      stranger.getOutputStream().write(clientHello());
      strangers.add(stranger);
    }
    connect("s1", 1);
    assertEquals("up s1", calls.take());
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  /** What begins a handshake, and makes the controller compute its part. */
  private byte[] clientHello() throws Exception {
    SSLEngine engine = identity.clientEngine(ANY);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return Arrays.copyOf(hello.array(), hello.position());
  }

  @Test
  void weakCiphersAreRefused() throws Exception {
    SSLSocket socket = keys.socketOf("s1", "TLSv1.2");
    socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"});
    socket.connect(network.address());
    assertThrows(SSLException.class, socket::startHandshake);
    socket.close();
  }

  @Test
  void renewedKeysAreUsedForNewConnectionsAndEndNone() throws Exception {
    connect("s1", 1);
    assertEquals("up s1", calls.take());
    X509Certificate before = identity.certificates().get(0);
    KeyFolder.renew(keys.folder, List.of("controller", "s2"));
    identity.reload();
    SSLSocket socket = keys.socketOf("s2", ANY);
    connect(socket, 2);
    assertEquals("up s2", calls.take());
    X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
    assertEquals(identity.certificates().get(0), shown);
    assertTrue(!before.equals(shown));
    assertTrue(calls.isEmpty(), calls.toString());
  }

  /** Ports, links and packets are of no interest here. */
  private abstract static class Ups implements TopologyListener {
    @Override
    public void portChanged(String switchId, int port, boolean up, long bps, long atNanos) {}

    @Override
    public void linkSeen(String from, int fromPort, String to, int toPort, long atNanos) {}

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {}

    @Override
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {}
  }
}
