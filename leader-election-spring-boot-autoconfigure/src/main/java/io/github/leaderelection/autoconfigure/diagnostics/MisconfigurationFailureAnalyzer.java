package io.github.leaderelection.autoconfigure.diagnostics;

import io.github.leaderelection.support.MisconfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells of mistakes that know themselves what to do about them. */
final class MisconfigurationFailureAnalyzer extends AbstractFailureAnalyzer<MisconfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MisconfigurationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
