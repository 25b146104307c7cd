package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.evenweave.web.PageResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's page as a browser gets it. */
class PageServingTest {
  private static final String PAGE = "/evenweave/page/";

  private static HttpApi api;

  @BeforeAll
  static void listen() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    api = new HttpApi(any, Set.of(new PageResource()), List.of());
  }

  @AfterAll
  static void close() {
    api.close();
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(api.address().resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void theServersAddressLeadsToThePage() throws Exception {
    HttpResponse<String> response = get("/");
    assertEquals(302, response.statusCode());
    assertEquals(PAGE, header(response, "Location"));
    assertEquals(200, get(PAGE).statusCode());
  }

  @Test
  void theDocumentMayLoadNothingFromElsewhereAndIsAskedForAnew() throws Exception {
    HttpResponse<String> response = get(PAGE);
    assertEquals("text/html;charset=utf-8", header(response, "Content-Type"));
    assertTrue(header(response, "Content-Security-Policy").startsWith("default-src 'self';"));
    assertEquals("nosniff", header(response, "X-Content-Type-Options"));
    assertEquals("no-cache", header(response, "Cache-Control"));
    String tag = header(response, "ETag");
    assertEquals(304, get(PAGE, "If-None-Match", tag).statusCode());
  }

  @Test
  void itsScriptIsKeptForAYearUnderANameThatChangesWithIt() throws Exception {
    Matcher script = Pattern.compile("src=\"\\./([^\"]*\\.js)\"").matcher(get(PAGE).body());
    assertTrue(script.find());
    HttpResponse<String> response = get(PAGE + script.group(1));
    assertEquals(200, response.statusCode());
    assertEquals("text/javascript;charset=utf-8", header(response, "Content-Type"));
    assertTrue(header(response, "Cache-Control").contains("immutable"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing.js", "assets", "%2e%2e%2fPageResource.class", "a%00.html"})
  void otherNamesAreNotFound(String name) throws Exception {
    assertEquals(404, get(PAGE + name).statusCode());
  }
}
