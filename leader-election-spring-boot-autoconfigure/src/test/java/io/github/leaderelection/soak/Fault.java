package io.github.leaderelection.soak;

/** A fault that the nemesis injected, its target, and when. */
record Fault(FaultKind kind, String target, long from, long to) {}
