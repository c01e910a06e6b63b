package io.github.leaderelection.soak;

/** Something that the nemesis did, to whom, and when. */
record Fault(FaultKind kind, String target, long from, long to) {}
