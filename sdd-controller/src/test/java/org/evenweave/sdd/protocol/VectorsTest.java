package org.evenweave.sdd.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The vectors in host/protocol/vectors, which the C tests read too: a line {@code hex = ...}, then
 * what the schema says that the bytes mean.
 *
 * <p>With the system property {@code vectors.write} the files are written instead; look at the
 * difference before it is committed.
 */
class VectorsTest {
  private static final Path SCHEMA = Path.of("src/main/sbe/sdd-protocol.xml");
  private static final Path VECTORS = Path.of("../host/protocol/vectors");
  private static MessagePrinter printer;

  @BeforeAll
  static void readSchema() throws Exception {
    printer = new MessagePrinter(SCHEMA);
  }

  private static Map<String, byte[]> samples() {
    Map<String, byte[]> samples = new LinkedHashMap<>(SampleMessages.ofClients());
    samples.putAll(SampleMessages.ofController());
    samples.putAll(SampleMessages.datagrams());
    return samples;
  }

  private static String vector(String name, byte[] message) {
    StringBuilder hex = new StringBuilder("hex = ");
    for (byte b : message) {
      hex.append(String.format(Locale.ROOT, "%02x", b));
    }
    boolean datagram = name.startsWith("datagram");
    int length = message.length - (datagram ? ControlPacket.TAG_BYTES : 0);
    return hex + "\n" + printer.print(message, length);
  }

  @TestFactory
  Stream<DynamicTest> encodersWriteWhatTheVectorsSay() {
    return samples().entrySet().stream()
        .map(
            sample ->
                DynamicTest.dynamicTest(
                    sample.getKey(),
                    () -> {
                      String text = vector(sample.getKey(), sample.getValue());
                      Path file = VECTORS.resolve(sample.getKey() + ".txt");
                      if (Boolean.getBoolean("vectors.write")) {
                        Files.createDirectories(VECTORS);
                        Files.writeString(file, text);
                      }
                      assertEquals(Files.readString(file, StandardCharsets.UTF_8), text);
                    }));
  }

  @Test
  void everyMessageOfTheSchemaHasAVectorAndALayout() throws Exception {
    Set<String> named = new TreeSet<>();
    for (byte[] sample : samples().values()) {
      named.add(Integer.toString(new UnsafeBuffer(sample).getShort(2)));
    }
    Map<String, String> schema = new TreeMap<>();
    java.util.regex.Matcher messages =
        java.util.regex.Pattern.compile("<sbe:message name=\"(\\w+)\" id=\"(\\d+)\"")
            .matcher(Files.readString(SCHEMA));
    while (messages.find()) {
      schema.put(messages.group(2), messages.group(1));
    }
    assertEquals(schema.keySet(), named);
    for (Map.Entry<String, String> message : schema.entrySet()) {
      assertTrue(
          Layouts.of(Integer.parseInt(message.getKey()))
              .name()
              .equalsIgnoreCase(message.getValue()),
          message.getValue());
    }
  }

  @Test
  void noVectorIsLeftOver() throws Exception {
    try (Stream<Path> files = Files.list(VECTORS)) {
      assertEquals(
          samples().keySet().stream().map(name -> name + ".txt").collect(Collectors.toSet()),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
  }
}
