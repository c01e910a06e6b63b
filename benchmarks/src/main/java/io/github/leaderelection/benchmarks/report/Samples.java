package io.github.leaderelection.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Repeated measurements of the same thing. */
public final class Samples {

    private final List<Double> values = new ArrayList<>();

    public static Samples of(double... values) {
        var samples = new Samples();
        for (double value : values) {
            samples.add(value);
        }
        return samples;
    }

    public void add(double value) {
        values.add(value);
    }

    public int size() {
        return values.size();
    }

    public double median() {
        return percentile(50);
    }

    public double min() {
        return percentile(0);
    }

    public double p99() {
        return percentile(99);
    }

    /** The smallest sample that is at least as great as the given percentage of all samples. */
    double percentile(int percent) {
        List<Double> sorted = values.stream().sorted().toList();
        int rank = (int) Math.ceil(percent / 100.0 * sorted.size());
        return sorted.get(Math.max(0, rank - 1));
    }
}
