package org.evenweave.sdd.protocol;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.sbe.PrimitiveValue;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.otf.OtfHeaderDecoder;
import uk.co.real_logic.sbe.otf.OtfMessageDecoder;
import uk.co.real_logic.sbe.otf.TokenListener;
import uk.co.real_logic.sbe.otf.Types;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * Prints any message by the schema alone, without the generated codecs: a line {@code path = value}
 * per field in the schema's order, a line {@code path = count entries} per group.
 */
final class MessagePrinter {
  private final Ir ir;
  private final OtfHeaderDecoder header;

  MessagePrinter(Path schema) throws Exception {
    try (java.io.InputStream in = Files.newInputStream(schema)) {
      ParserOptions options = ParserOptions.builder().stopOnError(true).build();
      ir = new IrGenerator().generate(XmlSchemaParser.parse(in, options));
    }
    header = new OtfHeaderDecoder(ir.headerStructure());
  }

  /** The message's name, then its fields. */
  String print(byte[] message, int length) {
    UnsafeBuffer buffer = new UnsafeBuffer(message, 0, length);
    List<Token> tokens = ir.getMessage(header.getTemplateId(buffer, 0));
    StringBuilder text = new StringBuilder("message = " + tokens.get(0).name() + "\n");
    int end =
        OtfMessageDecoder.decode(
            buffer,
            header.encodedLength(),
            header.getSchemaVersion(buffer, 0),
            header.getBlockLength(buffer, 0),
            tokens,
            new Lines(text));
    if (end != length) {
      throw new IllegalArgumentException("ends at " + end + " of " + length);
    }
    return text.toString();
  }

  private static final class Lines implements TokenListener {
    private final StringBuilder text;
    private String prefix = "";

    Lines(StringBuilder text) {
      this.text = text;
    }

    private void line(String name, Object value) {
      text.append(prefix).append(name).append(" = ").append(value).append('\n');
    }

    @Override
    public void onBeginMessage(Token token) {}

    @Override
    public void onEndMessage(Token token) {}

    @Override
    public void onEncoding(
        Token field, DirectBuffer buffer, int index, Token type, int actingVersion) {
      Encoding encoding = type.encoding();
      String name = prefix.endsWith("." + field.name() + ".") ? type.name() : field.name();
      if (type.arrayLength() > 1) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < type.arrayLength(); i++) {
          hex.append(String.format(Locale.ROOT, "%02x", buffer.getByte(index + i)));
        }
        line(name, hex);
      } else {
        line(name, Types.getLong(buffer, index, encoding));
      }
    }

    @Override
    public void onEnum(
        Token field,
        DirectBuffer buffer,
        int index,
        List<Token> tokens,
        int begin,
        int end,
        int actingVersion) {
      long value = Types.getLong(buffer, index, tokens.get(begin + 1).encoding());
      String name = "unknown";
      for (int i = begin + 1; i < end; i++) {
        PrimitiveValue constant = tokens.get(i).encoding().constValue();
        if (constant.longValue() == value) {
          name = tokens.get(i).name();
        }
      }
      line(field.name(), name);
    }

    @Override
    public void onBitSet(
        Token field,
        DirectBuffer buffer,
        int index,
        List<Token> tokens,
        int begin,
        int end,
        int actingVersion) {
      throw new IllegalStateException("the schema has no sets");
    }

    @Override
    public void onBeginComposite(Token field, List<Token> tokens, int from, int to) {
      prefix = field.name() + ".";
    }

    @Override
    public void onEndComposite(Token field, List<Token> tokens, int from, int to) {
      prefix = "";
    }

    @Override
    public void onGroupHeader(Token token, int count) {
      line(token.name(), count + " entries");
    }

    @Override
    public void onBeginGroup(Token token, int index, int count) {
      prefix = token.name() + "[" + index + "].";
    }

    @Override
    public void onEndGroup(Token token, int index, int count) {
      prefix = "";
    }

    @Override
    public void onVarData(Token field, DirectBuffer buffer, int index, int length, Token type) {
      byte[] bytes = new byte[length];
      buffer.getBytes(index, bytes);
      line(field.name(), new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
