package io.github.leaderelection.autoconfigure.diagnostics;

import io.github.leaderelection.support.MisconfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a {@link MisconfigurationException}, which carries its description and action. */
final class MisconfigurationFailureAnalyzer extends AbstractFailureAnalyzer<MisconfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MisconfigurationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
