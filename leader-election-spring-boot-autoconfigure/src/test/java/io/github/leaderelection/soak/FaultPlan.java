package io.github.leaderelection.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run and their times, which follow from a seed. First there is one fault at a time, with time to
 * recover; then there are waves of overlapping faults, each followed by a pause; then denser waves. Every other wave
 * spares the ensemble, so that there is a leader to depose. The kinds are dealt like cards, so that none is missed.
 *
 * @param length until the last pause has ended
 */
record FaultPlan(List<Step> steps, Duration length) {

    /** @param seed decides what is chosen at that time, such as the victim */
    record Step(Duration at, int phase, FaultKind kind, Duration duration, long seed) {}

    static FaultPlan of(long seed, List<FaultKind> kinds, Duration length, Duration session, Duration recovery) {
        return new Planner(seed, kinds, session, recovery).write(length);
    }

    private static final class Planner {

        private static final Duration WAVE = Duration.ofSeconds(15);

        private final Random random;
        private final List<FaultKind> kinds;
        private final Duration session;
        private final Duration recovery;
        private final Deque<FaultKind> deck = new ArrayDeque<>();
        private final List<Step> steps = new ArrayList<>();

        Planner(long seed, List<FaultKind> kinds, Duration session, Duration recovery) {
            this.random = new Random(seed);
            this.kinds = kinds;
            this.session = session;
            this.recovery = recovery;
        }

        FaultPlan write(Duration length) {
            Duration end = length.minus(recovery);
            Duration at = Duration.ZERO;
            while (at.compareTo(length.dividedBy(4)) < 0) {
                Step step = deal(at, 1, true);
                at = at.plus(step.duration()).plus(recovery);
            }
            for (int wave = 0; at.compareTo(end) < 0; wave++) {
                boolean dense = at.compareTo(length.dividedBy(2)) >= 0;
                Duration over = at.plus(WAVE).compareTo(end) < 0 ? at.plus(WAVE) : end;
                Duration last = at;
                while (at.compareTo(over) < 0) {
                    Step step = deal(at, dense ? 3 : 2, wave % 2 == 0);
                    Duration done = at.plus(step.duration());
                    last = done.compareTo(last) > 0 ? done : last;
                    at = at.plus(Duration.ofMillis(dense ? 300 + random.nextInt(1_200) : 600 + random.nextInt(2_400)));
                }
                at = last.plus(recovery);
            }
            return new FaultPlan(List.copyOf(steps), at.compareTo(length) > 0 ? at : length);
        }

        private Step deal(Duration at, int phase, boolean ensembleToo) {
            FaultKind kind = draw(ensembleToo);
            Step step = new Step(at, phase, kind, kind.duration(random, session), random.nextLong());
            steps.add(step);
            return step;
        }

        private FaultKind draw(boolean ensembleToo) {
            for (FaultKind card : deck) {
                if (ensembleToo || card.scope() != FaultKind.Scope.ENSEMBLE) {
                    deck.removeFirstOccurrence(card);
                    return card;
                }
            }
            List<FaultKind> cards = new ArrayList<>(kinds);
            // Twice, since the time of a fail-over is only measured on a healthy ensemble.
            kinds.stream()
                    .filter(kind -> kind.scope() == FaultKind.Scope.CANDIDATE)
                    .forEach(cards::add);
            Collections.shuffle(cards, random);
            deck.addAll(cards);
            return draw(ensembleToo);
        }
    }
}
