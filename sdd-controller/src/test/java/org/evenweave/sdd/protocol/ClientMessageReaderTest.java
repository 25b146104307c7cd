package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;
import org.junit.jupiter.api.Test;

class ClientMessageReaderTest {
  /** Reads everything that a decoder has, and remembers which message it was. */
  private static ClientMessages recorder(List<String> calls) {
    return (ClientMessages)
        Proxy.newProxyInstance(
            ClientMessages.class.getClassLoader(),
            new Class<?>[] {ClientMessages.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              assertTrue(arguments[0].toString().length() > 0);
              return null;
            });
  }

  private static List<String> read(byte[] message) throws ProtocolException {
    List<String> calls = new ArrayList<>();
    new ClientMessageReader().read(new UnsafeBuffer(message), 0, message.length, recorder(calls));
    return calls;
  }

  @Test
  void everyMessageOfAClientIsTold() throws ProtocolException {
    List<String> calls = new ArrayList<>();
    for (byte[] sample : SampleMessages.ofClients().values()) {
      calls.addAll(read(sample));
    }
    assertEquals(
        List.of(
            "hello",
            "hello",
            "demandReport",
            "demandReport",
            "clockStatus",
            "queueStats",
            "triggerFired",
            "missed",
            "policyChanged",
            "reply",
            "reply",
            "circuitStats",
            "following",
            "hello",
            "edgeReport"),
        calls);
  }

  @Test
  void whatIsTheControllersToSayIsRefused() {
    for (Map.Entry<String, byte[]> sample : SampleMessages.ofController().entrySet()) {
      ProtocolException refused =
          assertThrows(ProtocolException.class, () -> read(sample.getValue()), sample.getKey());
      assertTrue(refused.getMessage().endsWith("is not a client's to send"));
    }
  }

  @Test
  void aMessageCutAnywhereIsRefused() {
    for (byte[] sample : SampleMessages.ofClients().values()) {
      for (int length = 0; length < sample.length; length++) {
        byte[] cut = Arrays.copyOf(sample, length);
        assertThrows(ProtocolException.class, () -> read(cut));
      }
    }
  }

  @Test
  void bytesBehindTheEndAreRefusedUnlessTheSenderIsNewer() throws ProtocolException {
    for (byte[] sample : SampleMessages.ofClients().values()) {
      byte[] longer = Arrays.copyOf(sample, sample.length + 3);
      assertThrows(ProtocolException.class, () -> read(longer));
      longer[6] = (byte) (MessageHeaderDecoder.SCHEMA_VERSION + 1);
      assertEquals(1, read(longer).size());
    }
  }

  @Test
  void anUnknownMessageOfANewerSenderIsSkipped() throws ProtocolException {
    byte newer = (byte) (MessageHeaderDecoder.SCHEMA_VERSION + 1);
    byte[] message = {0, 0, (byte) 200, 0, (byte) (1385 & 0xFF), 1385 >> 8, newer, 0, 42};
    assertEquals(List.of(), read(message));
    message[6] = 1;
    assertThrows(ProtocolException.class, () -> read(message));
  }

  /** Entries had 28 bytes in a demand report then, and 90 in statistics. */
  @Test
  void whatAnOlderHostReportsIsTaken() throws ProtocolException {
    for (String name : List.of("demand-report", "queue-stats")) {
      byte[] sample = SampleMessages.ofClients().get(name);
      int group = 8 + sample[0];
      int entry = sample[group];
      int before = name.equals("demand-report") ? 28 : 90;
      byte[] older = Arrays.copyOf(sample, group + 4 + 2 * before);
      for (int i = 0; i < 2; i++) {
        System.arraycopy(sample, group + 4 + i * entry, older, group + 4 + i * before, before);
      }
      older[group] = (byte) before;
      assertThrows(ProtocolException.class, () -> read(older), name);
      older[6] = 4;
      assertEquals(1, read(older).size(), name);
      older[group]--;
      assertThrows(ProtocolException.class, () -> read(older), name);
    }
  }

  @Test
  void errorsNameTheField() {
    assertEquals("hello.linkBps: 0 is not in 1 to 10000000000000", errorOf("hello-host", 8 + 3, 8));
    assertEquals("hello.datagramPort: 0 is not in 1 to 65535", errorOf("hello-host", 8 + 11, 2));
    assertEquals("hello.ports[1]: repeats a port or a host", errorOf("hello-switch", 39, 1));
  }

  /** The error after some bytes became zero. */
  private static String errorOf(String sample, int offset, int zeros) {
    byte[] message = SampleMessages.ofClients().get(sample);
    Arrays.fill(message, offset, offset + zeros, (byte) 0);
    return assertThrows(ProtocolException.class, () -> read(message)).getMessage();
  }

  @Provide
  Arbitrary<byte[]> anyBytes() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
  }

  @Property(tries = 2000)
  void arbitraryBytesGiveOneErrorOrNothing(@ForAll("anyBytes") byte[] bytes) {
    readOrRefuse(bytes);
  }

  /** Valid messages with a few bytes changed get past the header, where the traps are. */
  @Property(tries = 5000)
  void changedMessagesAreReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    List<byte[]> samples = new ArrayList<>(SampleMessages.ofClients().values());
    byte[] message = samples.get(random.nextInt(samples.size()));
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      byte[] values = {0, 1, -1, Byte.MAX_VALUE, Byte.MIN_VALUE, (byte) random.nextInt()};
      message[random.nextInt(message.length)] = values[random.nextInt(values.length)];
    }
    if (random.nextInt(4) == 0) {
      message = Arrays.copyOf(message, random.nextInt(2 * message.length));
    }
    readOrRefuse(message);
  }

  /** Anything else that is thrown, out of a decoder for instance, fails the test. */
  private static void readOrRefuse(byte[] message) {
    try {
      assertTrue(read(message).size() <= 1);
    } catch (ProtocolException refused) {
      assertTrue(refused.getMessage().contains(": "), refused.getMessage());
    }
  }
}
