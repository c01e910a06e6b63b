package io.github.leaderelection.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of a table: the samples of each subject.
 *
 * @param table the title of the table; results with the same title form one table
 * @param row the label of the row, such as the kind of server
 */
public record Result(String table, String unit, String row, Map<String, Samples> bySubject) {

    public Result(String table, String unit, String row) {
        this(table, unit, row, new LinkedHashMap<>());
    }

    public void add(String subject, double value) {
        bySubject.computeIfAbsent(subject, name -> new Samples()).add(value);
    }

    public boolean has(String subject) {
        return bySubject.containsKey(subject);
    }

    public Samples of(String subject) {
        return bySubject.getOrDefault(subject, Samples.of());
    }

    /** The median of a subject, divided by that of the baseline. */
    public double ratio(String subject, String baseline) {
        return of(subject).median() / of(baseline).median();
    }
}
