package io.github.leaderelection.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** Statistics, tables and charts. */
class ReportTests {

    private static final List<String> SUBJECTS = List.of("bare", "ours");

    @Test
    void percentilesAreSamples() {
        Samples samples = new Samples();
        for (int i = 100; i >= 1; i--) {
            samples.add(i);
        }

        assertThat(samples.median()).isEqualTo(50);
        assertThat(samples.p99()).isEqualTo(99);
        assertThat(samples.min()).isEqualTo(1);
        assertThat(Samples.of(3, 1, 2).median()).isEqualTo(2);
    }

    @Test
    void aTableHasARowForEachResultAndRatiosToTheFirstSubject() {
        Result memory = result("memory", 2, 3);
        Result disk = result("disk", 4, 5);

        assertThat(Markdown.of(List.of(memory, disk), SUBJECTS).lines())
                .containsExactly(
                        "",
                        "### Hand-over (ms)",
                        "| | bare | ours |",
                        "|---|---|---|",
                        "| memory | 2 | 3 · **×1.50** |",
                        "| disk | 4 | 5 · **×1.25** |");
    }

    @Test
    void aSubjectWithoutSamplesHasADash() {
        Result result = new Result("Hand-over", "ms", "memory");
        result.add("ours", 1.234);
        Result both = result("disk", 4, 5);

        assertThat(Markdown.of(List.of(result, both), SUBJECTS)).contains("| memory | – | 1.23 |");
    }

    @Test
    void the99thPercentileIsShownFromOneHundredSamples() {
        Result result = new Result("Hand-over", "ms", "memory");
        for (int i = 1; i <= 99; i++) {
            result.add("bare", i);
        }
        assertThat(Markdown.of(List.of(result), SUBJECTS)).contains("| memory | 50 |");

        result.add("bare", 100);

        assertThat(Markdown.of(List.of(result), SUBJECTS)).contains("| memory | 50 (p99 99) |");
    }

    @Test
    void aChartIsWellFormedAndItsBarsAreProportional() throws Exception {
        String chart = BarChart.of("a < b & c", List.of(result("memory", 2, 4)), SUBJECTS);

        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(chart.getBytes(StandardCharsets.UTF_8)));
        var bars = document.getElementsByTagName("rect");
        // The first is the background, two belong to the legend.
        double bare = width(bars.item(3));
        double ours = width(bars.item(4));
        assertThat(ours).isEqualTo(2 * bare);
        assertThat(document.getElementsByTagName("text").item(0).getTextContent())
                .isEqualTo("a < b & c");
    }

    private static double width(org.w3c.dom.Node bar) {
        return Double.parseDouble(bar.getAttributes().getNamedItem("width").getNodeValue());
    }

    private static Result result(String row, double bare, double ours) {
        Result result = new Result("Hand-over", "ms", row);
        result.add("bare", bare);
        result.add("ours", ours);
        return result;
    }
}
