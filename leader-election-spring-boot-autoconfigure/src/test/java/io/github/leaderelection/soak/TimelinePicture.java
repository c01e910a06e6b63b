package io.github.leaderelection.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws a run: faults by kind above, leaders below, the times of an unhealthy ensemble in grey. */
final class TimelinePicture {

    private static final int LABELS = 230;
    private static final int ROW = 18;
    private static final int TOP = 24;
    private static final double PER_SECOND = 8;

    private final History history;
    private final StringBuilder svg = new StringBuilder();
    private int row;

    private TimelinePicture(History history) {
        this.history = history;
    }

    static String draw(History history, CheckResult result) {
        return new TimelinePicture(history).draw(result);
    }

    private String draw(CheckResult result) {
        List<FaultKind> kinds = Arrays.stream(FaultKind.values())
                .filter(kind -> history.faults().stream().anyMatch(fault -> fault.kind() == kind))
                .toList();
        List<String> slots = new ArrayList<>(history.terms().stream()
                .map(term -> slot(term.candidate()))
                .distinct()
                .sorted()
                .toList());
        int rows = kinds.size() + slots.size() + 2;
        double width = x(history.span().to()) + 20;
        double height = TOP + ROW * rows + 10.0;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                width, height);
        add("<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>", width, height);
        history.unhealthy()
                .forEach(span -> bar(span.from(), span.to(), TOP, ROW * rows, "#eeeeee", "ensemble unhealthy"));
        ruler(ROW * rows);
        for (FaultKind kind : kinds) {
            label(kind.title());
            history.faults().stream()
                    .filter(fault -> fault.kind() == kind)
                    .forEach(fault -> bar(fault.from(), fault.to(), color(kind), fault.target()));
            row++;
        }
        row++;
        for (String slot : slots) {
            label(slot + " leads");
            history.terms().stream()
                    .filter(term -> slot(term.candidate()).equals(slot))
                    .forEach(term -> bar(
                            term.firstAsked(),
                            term.lastAnswered(),
                            "#2a7f3f",
                            "%s, term %d, token %d".formatted(term.candidate(), term.number(), term.token())));
            row++;
        }
        label("healthy, but no leader");
        result.leaderless().forEach(gap -> bar(gap.from(), gap.to(), "#c02020", "%.3f s".formatted(gap.seconds())));
        add("</svg>");
        return svg.toString();
    }

    private void ruler(int height) {
        for (int second = 0; second <= history.span().seconds(); second += 10) {
            double x = LABELS + second * PER_SECOND;
            add("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#cccccc\"/>", x, TOP, x, TOP + height);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>", x, TOP - 8, second);
        }
    }

    private void label(String text) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABELS - 8, TOP + row * ROW + 13, escape(text));
    }

    private void bar(long from, long to, String color, String title) {
        bar(from, to, TOP + row * ROW + 3, ROW - 6, color, title);
    }

    private void bar(long from, long to, int y, int height, String color, String title) {
        double start = x(Math.max(from, history.span().from()));
        double end = x(Math.min(to, history.span().to()));
        if (end >= start) {
            add(
                    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>",
                    start, y, Math.max(1.5, end - start), height, color, escape(title));
        }
    }

    private double x(long nanos) {
        return LABELS + (nanos - history.span().from()) / 1e9 * PER_SECOND;
    }

    /** A candidate that is killed and started again keeps its row. */
    private static String slot(String candidate) {
        return candidate.substring(0, candidate.indexOf('.'));
    }

    private static String color(FaultKind kind) {
        return switch (kind.scope()) {
            case ENSEMBLE -> "#8a4fbf";
            case CANDIDATE -> "#d06a1c";
            case LINK_QUALITY -> "#c9a400";
            case REQUEST -> "#4a78b5";
        };
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void add(String element, Object... arguments) {
        svg.append(String.format(Locale.ROOT, element, arguments)).append('\n');
    }
}
