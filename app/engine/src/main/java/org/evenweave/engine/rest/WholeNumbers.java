package org.evenweave.engine.rest;

import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.QueryParam;
import javax.ws.rs.ext.ParamConverter;
import javax.ws.rs.ext.ParamConverterProvider;

/**
 * Reads parameters that are whole numbers as the description has them. JAX-RS would take {@code
 * ?limit=} as no limit, and refuse an offset above 2^31 although it is only beyond the end.
 */
public final class WholeNumbers implements ParamConverterProvider {
  /** More digits mean the same as these, and would take time to read. */
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,100}");

  @Override
  @SuppressWarnings("unchecked")
  public <T> ParamConverter<T> getConverter(
      Class<T> rawType, Type genericType, Annotation[] annotations) {
    if (rawType == int.class) {
      return (ParamConverter<T>)
          new Converter<>(annotations, Integer.MAX_VALUE, each -> (int) each);
    }
    return rawType == long.class
        ? (ParamConverter<T>) new Converter<>(annotations, Long.MAX_VALUE, each -> each)
        : null;
  }

  /**
   * Reads one.
   *
   * @param most what a larger number becomes; a smaller one than its opposite becomes that
   * @throws IllegalArgumentException if it is none
   */
  public static long parse(String text, long most) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("is no whole number");
    }
    BigInteger bound = BigInteger.valueOf(most);
    return new BigInteger(text).min(bound).max(bound.negate()).longValueExact();
  }

  private static final class Converter<T> implements ParamConverter<T> {
    private final String name;
    private final long most;
    private final LongFunction<T> boxed;

    Converter(Annotation[] annotations, long most, LongFunction<T> boxed) {
      name = name(annotations);
      this.most = most;
      this.boxed = boxed;
    }

    private static String name(Annotation[] annotations) {
      return Arrays.stream(annotations)
          .map(
              each ->
                  each instanceof QueryParam
                      ? ((QueryParam) each).value()
                      : each instanceof HeaderParam ? ((HeaderParam) each).value() : "")
          .filter(each -> !each.isEmpty())
          .findFirst()
          .orElseThrow();
    }

    @Override
    public T fromString(String text) {
      if (text == null) {
        // The parameter is absent and has no default.
        return boxed.apply(0);
      }
      try {
        return boxed.apply(parse(text, most));
      } catch (IllegalArgumentException e) {
        // JAX-RS would use the default instead.
        throw new BadRequestException("the parameter \"" + name + "\" must be a whole number");
      }
    }

    @Override
    public String toString(T number) {
      return number.toString();
    }
  }
}
