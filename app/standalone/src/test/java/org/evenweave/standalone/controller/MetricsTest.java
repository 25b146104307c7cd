package org.evenweave.standalone.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.evenweave.engine.config.EngineConfig;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void metricsAreServedAtTheTopAndBelowTheRootInTheFormatThatTheClientAsksFor() throws Exception {
    try (RunningController controller = new RunningController(EngineConfig.empty(), null)) {
      HttpResponse<String> top = controller.send("GET", "/metrics", "");
      assertEquals(200, top.statusCode());
      assertEquals(
          "text/plain; version=0.0.4; charset=utf-8",
          top.headers().firstValue("Content-Type").orElseThrow());
      for (String series :
          new String[] {
            "evenweave_fabric_state{state=\"degraded\"} 1.0",
            "evenweave_openflow_sessions{master=\"true\"} 0.0",
            "evenweave_log_lost_lines_total{reason=\"dropped\"} 0.0",
            "jvm_threads_current"
          }) {
        assertTrue(top.body().contains("\n" + series), series + " is not in\n" + top.body());
      }
      HttpResponse<String> open =
          controller.send(
              "GET", "/evenweave/metrics", "", "Accept", "application/openmetrics-text");
      assertTrue(open.body().endsWith("# EOF\n"), open.body());
      assertEquals(405, controller.send("PUT", "/metrics", "{}").statusCode());
    }
  }
}
