package io.github.leaderelection.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as Markdown tables with a column for each subject. */
public final class Markdown {

    /** With fewer samples the 99th percentile would be the maximum. */
    private static final int ENOUGH_FOR_P99 = 100;

    private Markdown() {}

    public static String of(Collection<Result> results, List<String> subjects) {
        Map<String, List<Result>> tables = new LinkedHashMap<>();
        results.forEach(result -> tables.computeIfAbsent(result.table(), title -> new ArrayList<>())
                .add(result));
        StringBuilder text = new StringBuilder();
        tables.forEach((title, rows) -> text.append(table(title, rows, subjects)));
        return text.toString();
    }

    private static String table(String title, List<Result> rows, List<String> subjects) {
        List<String> present = subjects.stream()
                .filter(subject -> rows.stream().anyMatch(row -> row.has(subject)))
                .toList();
        String unit = rows.get(0).unit();
        StringBuilder text =
                new StringBuilder("\n### %s%s\n| |".formatted(title, unit.isEmpty() ? "" : " (" + unit + ")"));
        present.forEach(subject -> text.append(" ").append(subject).append(" |"));
        text.append("\n|---|").append("---|".repeat(present.size())).append("\n");
        for (Result row : rows) {
            text.append("| ").append(row.row()).append(" |");
            present.forEach(subject ->
                    text.append(" ").append(cell(row, subject, subjects.get(0))).append(" |"));
            text.append("\n");
        }
        return text.toString();
    }

    /** Median, 99th percentile if there are enough samples, and ratio to the baseline. */
    private static String cell(Result row, String subject, String baseline) {
        if (!row.has(subject)) {
            return "–";
        }
        Samples samples = row.of(subject);
        String text = number(samples.median());
        if (samples.size() >= ENOUGH_FOR_P99) {
            text += " (p99 " + number(samples.p99()) + ")";
        }
        if (!subject.equals(baseline) && row.has(baseline) && row.of(baseline).median() > 0) {
            text += " · **×" + String.format(Locale.ROOT, "%.2f", row.ratio(subject, baseline)) + "**";
        }
        return text;
    }

    static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return String.valueOf((long) value);
        }
        String format = Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
