package io.github.leaderelection.zookeeper.protocol;

/** One nomination on one session: one GUID, one node, one life. */
public record Candidacy(String guid, long session) {}
