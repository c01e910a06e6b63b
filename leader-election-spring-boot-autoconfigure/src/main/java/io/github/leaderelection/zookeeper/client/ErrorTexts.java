package io.github.leaderelection.zookeeper.client;

import org.apache.zookeeper.KeeperException.Code;

/** Explains ZooKeeper's error codes, and what to do about them. */
public final class ErrorTexts {

    private ErrorTexts() {}

    public static String of(Code code) {
        return switch (code) {
            case NOAUTH -> "NOAUTH: the connection's credentials do not permit it; check the node's ACL";
            case INVALIDACL -> "INVALIDACL: the configured ACL is not valid for this connection; is it authenticated?";
            case NOCHILDRENFOREPHEMERALS -> "its parent is an ephemeral node; choose another path";
            case QUOTAEXCEEDED, THROTTLEDOP -> code + ": a limit of the server is reached";
            case MARSHALLINGERROR -> "its reply breaks the connection each time; is it too long for jute.maxbuffer?";
            case CONNECTIONLOSS -> "the connection to ZooKeeper was lost";
            case SESSIONEXPIRED -> "the session with ZooKeeper has expired";
            default -> code.toString();
        };
    }
}
