package io.github.leaderelection.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that was measured, for each subject.
 *
 * @param what what it is; results with the same one make up a table
 * @param where on which server, or at which size
 */
public record Result(String what, String unit, String where, Map<String, Samples> bySubject) {

    public Result(String what, String unit, String where) {
        this(what, unit, where, new LinkedHashMap<>());
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

    /** By what the median of the subject is greater than that of the one it is compared with. */
    public double ratio(String subject, String baseline) {
        return of(subject).median() / of(baseline).median();
    }
}
