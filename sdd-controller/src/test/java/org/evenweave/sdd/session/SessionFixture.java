package org.evenweave.sdd.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A session server for each test. */
abstract class SessionFixture {
  @TempDir static Path temporary;

  SessionBed bed;

  @BeforeEach
  void open() throws IOException {
    bed = new SessionBed(temporary);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  HostSession session(int number) {
    return bed.server.sessions().host(number);
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(SessionBed.HANG_SECONDS, TimeUnit.SECONDS);
  }
}
