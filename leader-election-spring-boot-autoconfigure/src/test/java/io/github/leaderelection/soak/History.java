package io.github.leaderelection.soak;

import java.util.List;
import java.util.Map;

/**
 * Everything that was observed in a run, by the candidates, the resources and the nemesis. All times are those of the
 * monotonic clock, which the processes of a machine share.
 *
 * @param accepted the tokens of the writes that a resource accepted, in its own order
 * @param unhealthy when the ensemble was unhealthy
 * @param takeOvers how often a candidate deposed another one whose session had not ended
 */
record History(
        TimeSpan span,
        List<ObservedTerm> terms,
        List<ListenerEvent> events,
        List<WriteAttempt> attempts,
        Map<FencedResource, List<Long>> accepted,
        List<Fault> faults,
        List<TimeSpan> unhealthy,
        int takeOvers,
        FinalState finalState) {}
