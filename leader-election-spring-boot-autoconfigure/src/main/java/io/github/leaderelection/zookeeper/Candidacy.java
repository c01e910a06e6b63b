package io.github.leaderelection.zookeeper;

/** One nomination on one session: one GUID, one node, one life. */
record Candidacy(String guid, long session) {}
