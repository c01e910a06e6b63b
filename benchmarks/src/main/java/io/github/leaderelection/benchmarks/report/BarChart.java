package io.github.leaderelection.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Medians as an SVG image: a group of bars for each row of the table, a bar for each subject. */
public final class BarChart {

    private static final List<String> COLOURS = List.of("#8c8c8c", "#c9a227", "#7a9e7e", "#b07aa1", "#2f6db5");
    private static final int LEFT = 190;
    private static final int WIDTH = 760;
    private static final int BAR = 14;
    private static final int GAP = 14;
    private static final int TOP = 56;

    private BarChart() {}

    public static String of(String title, List<Result> groups, List<String> subjects) {
        double max = groups.stream()
                .flatMap(group -> group.bySubject().values().stream())
                .mapToDouble(Samples::median)
                .max()
                .orElse(1);
        double scale = (WIDTH - LEFT - 70) / (max > 0 ? max : 1);
        StringBuilder bars = new StringBuilder();
        int y = TOP;
        for (Result group : groups) {
            int first = y;
            for (String subject : subjects) {
                if (group.has(subject)) {
                    double value = group.of(subject).median();
                    bars.append(bar(y, value * scale, colour(subjects, subject), Markdown.number(value)));
                    y += BAR;
                }
            }
            bars.append(text(LEFT - 8, (first + y) / 2 + 4, "end", group.row()));
            y += GAP;
        }
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">
                <rect width="100%%" height="100%%" fill="white"/>
                %s%s%s</svg>
                """.formatted(WIDTH, y, text(8, 18, "start", title), legend(groups, subjects), bars);
    }

    private static String legend(List<Result> groups, List<String> subjects) {
        StringBuilder legend = new StringBuilder();
        int x = LEFT;
        for (String subject : subjects) {
            if (groups.stream().anyMatch(group -> group.has(subject))) {
                legend.append("<rect x=\"%d\" y=\"30\" width=\"10\" height=\"10\" fill=\"%s\"/>%n"
                        .formatted(x, colour(subjects, subject)));
                legend.append(text(x + 14, 39, "start", subject));
                x += 24 + 7 * subject.length();
            }
        }
        return legend.toString();
    }

    private static String bar(int y, double length, String colour, String label) {
        return String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                        LEFT,
                        y,
                        Math.max(1, length),
                        BAR - 2,
                        colour)
                + text((int) (LEFT + length + 5), y + BAR - 4, "start", label);
    }

    private static String text(int x, int y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, escaped);
    }

    private static String colour(List<String> subjects, String subject) {
        return COLOURS.get(subjects.indexOf(subject) % COLOURS.size());
    }
}
