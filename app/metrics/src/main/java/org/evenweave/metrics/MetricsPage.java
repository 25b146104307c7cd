package org.evenweave.metrics;

import static java.util.stream.Collectors.toList;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * The metrics of one process, its JVM's included, as Prometheus scrapes them: in its text format,
 * or in OpenMetrics if the client asks for it. Safe for many threads.
 */
public final class MetricsPage {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormats formats = ExpositionFormats.init();

  public MetricsPage(Collection<? extends Source> sources) {
    sources.forEach(source -> registry.register(new SourceCollector(source)));
    JvmMetrics.builder().register(registry);
  }

  private static final class SourceCollector implements MultiCollector {
    private final Source source;

    SourceCollector(Source source) {
      this.source = source;
    }

    @Override
    public MetricSnapshots collect() {
      Scrape scrape = new Scrape();
      source.collect(scrape);
      return scrape.snapshots();
    }

    /** So that two sources cannot expose a metric of the same name. */
    @Override
    public List<MetricFamilyDescriptor> getMetricFamilyDescriptors() {
      return source.families().stream().map(SourceCollector::descriptor).collect(toList());
    }

    private static MetricFamilyDescriptor descriptor(Family family) {
      return MetricFamilyDescriptor.of(
          MetricType.valueOf(family.type().name()),
          new MetricMetadata(family.modelName(), family.help()));
    }
  }

  /**
   * What is exposed now.
   *
   * @param accept the header of the request; null if it has none
   */
  public Exposition scrape(String accept) {
    ExpositionFormatWriter writer = formats.findWriter(accept);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writer.write(text, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // In memory there is none.
    }
    return new Exposition(writer.getContentType(), text.toString(StandardCharsets.UTF_8));
  }
}
