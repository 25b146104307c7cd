package org.evenweave.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageResourceTest {
  private static String index() {
    return new String(PageFiles.read(PageFiles.INDEX), StandardCharsets.UTF_8);
  }

  private static List<String> namedIn(String document) {
    List<String> names = new ArrayList<>();
    Matcher found = Pattern.compile("(?:src|href)=\"([^\"]*)\"").matcher(document);
    while (found.find()) {
      names.add(found.group(1));
    }
    return names;
  }

  @Test
  void theDocumentNamesOnlyFilesThatThePageHas() {
    List<String> names = namedIn(index());
    assertTrue(names.size() >= 3, names.toString());
    for (String name : names) {
      assertTrue(name.startsWith("./"), name);
      assertNotNull(PageFiles.read(name.substring(2)), name);
      assertNotNull(PageFiles.type(name));
      assertTrue(PageFiles.isNamedByHash(name.substring(2)), name);
    }
  }

  /** Otherwise the Content-Security-Policy would stop the page. */
  @Test
  void theDocumentHasNoScriptsOrStylesOfItsOwn() {
    String document = index();
    assertFalse(document.contains("<style"), document);
    assertFalse(document.contains(" style="), document);
    assertFalse(Pattern.compile("<script(?![^>]* src=)").matcher(document).find(), document);
    assertFalse(Pattern.compile("\\son[a-z]+=").matcher(document).find(), document);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../PageResource.class",
        "..",
        ".",
        "assets/../index.html",
        "assets//index.html",
        "/index.html",
        "assets/%2e%2e/index.html",
        "index.html/",
        "index.html\0",
        "assets\\..\\index.html",
        "PageResource.class",
        "nothing.js",
        "assets"
      })
  void noOtherNameIsRead(String name) {
    assertNull(PageFiles.read(name));
  }

  @Test
  void typesAreThoseThatBrowsersAskFor() {
    assertEquals("text/javascript; charset=utf-8", PageFiles.type("assets/a-1.js"));
    assertEquals("text/html; charset=utf-8", PageFiles.type("index.html"));
    assertNull(PageFiles.type("a.class"));
  }
}
