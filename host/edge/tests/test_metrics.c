/* The metrics of an edge, computed from the output of `show --json`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "testing.h"

static const char shown[] =
    "{\"device\":\"eth0\",\"process\":true,\"attached\":false,"
    "\"drops\":{\"stranger\":3,\"forged\":0},\"peers\":["
    "{\"paths\":[{\"congested\":true,\"delayNs\":2000000,"
    "\"sent\":{\"packets\":5,\"bytes\":5000,\"flowlets\":2},"
    "\"received\":{\"packets\":4,\"bytes\":4000,\"late\":1},"
    "\"marks\":{\"taken\":7,\"received\":8}},"
    "{\"congested\":false,\"delayNs\":1000000,"
    "\"sent\":{\"packets\":1,\"bytes\":100,\"flowlets\":1},"
    "\"received\":{\"packets\":1,\"bytes\":100,\"late\":0},"
    "\"marks\":{\"taken\":1,\"received\":0}}]},"
    "{\"paths\":[]}]}";

static char *text_of(const char *json) {
    char *text = NULL;
    size_t length = 0;
    json_t *all = json_loads(json, 0, NULL);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(all);
    assert_non_null(out);
    metrics_print(all, out);
    assert_int_equal(fclose(out), 0);
    json_decref(all);
    return text;
}

static void paths_and_peers_are_summed(void **state) {
    (void)state;
    static const char *const lines[] = {
        "\nevenweave_edge_attached{device=\"eth0\"} 0\n",
        "\nevenweave_edge_peers{device=\"eth0\"} 2\n",
        "\nevenweave_edge_paths{device=\"eth0\"} 2\n",
        "\nevenweave_edge_paths_congested{device=\"eth0\"} 1\n",
        "\nevenweave_edge_longest_path_delay_seconds{device=\"eth0\"} 0.002\n",
        "\n# TYPE evenweave_edge_dropped_packets_total counter\n",
        "\nevenweave_edge_dropped_packets_total{device=\"eth0\",reason=\"stranger\"} 3\n",
        "\nevenweave_edge_sent_bytes_total{device=\"eth0\"} 5100\n",
        "\nevenweave_edge_marks_taken_total{device=\"eth0\"} 8\n",
    };
    char *text = text_of(shown);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("not in the metrics: %s\n%s", lines[i], text);
    free(text);
}

static void an_edge_without_peers_has_all_series(void **state) {
    (void)state;
    char *text = text_of(
        "{\"device\":\"eth0\",\"process\":false,\"attached\":true,"
        "\"drops\":{},\"peers\":[]}");
    assert_non_null(strstr(text, "\nevenweave_edge_late_packets_total{device=\"eth0\"} 0\n"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_peers_are_summed),
        cmocka_unit_test(an_edge_without_peers_has_all_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
