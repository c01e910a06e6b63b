package io.github.leaderelection.soak;

import java.util.List;
import java.util.Map;

/**
 * All that was seen in a run, by the candidates, the resources and the nemesis; all times by the monotonic clock, which
 * the processes of a machine share.
 *
 * @param accepted the tokens of the writes that a resource accepted, in its own order
 * @param unhealthy when the ensemble was not healthy
 */
record History(
        Span span,
        List<Reign> reigns,
        List<Told> told,
        List<Attempt> attempts,
        Map<Resource, List<Long>> accepted,
        List<Fault> faults,
        List<Span> unhealthy,
        Ending ending) {}
