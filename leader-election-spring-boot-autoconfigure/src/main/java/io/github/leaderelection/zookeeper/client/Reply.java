package io.github.leaderelection.zookeeper.client;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * ZooKeeper's reply to a {@link Request}.
 *
 * @param path the path that was created
 * @param data of the node; empty if it could not be read
 * @param stat the node's; after a transaction, that of the last node written
 * @param parts the replies to the parts of {@link Request.Reads}; empty if all of them failed alike
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(Code code, String path, byte[] data, Stat stat, List<String> children, List<Reply> parts) {

    private static final Stat NO_STAT = new Stat();

    /** Before a reply has arrived. */
    static final Reply NONE = of(Code.CONNECTIONLOSS);

    public static Reply of(Code code) {
        return new Reply(code, "", Request.NO_DATA, NO_STAT, List.of(), List.of());
    }

    public static Reply created(String path, Stat stat) {
        return new Reply(Code.OK, path, Request.NO_DATA, stat, List.of(), List.of());
    }

    public static Reply stat(Stat stat) {
        return data(Request.NO_DATA, stat);
    }

    public static Reply data(byte[] data, Stat stat) {
        return new Reply(Code.OK, "", data, stat, List.of(), List.of());
    }

    public static Reply children(List<String> names) {
        return new Reply(Code.OK, "", Request.NO_DATA, NO_STAT, names, List.of());
    }

    public static Reply parts(List<Reply> parts) {
        return new Reply(Code.OK, "", Request.NO_DATA, NO_STAT, List.of(), parts);
    }

    public Reply part(int index) {
        return parts.isEmpty() ? this : parts.get(index);
    }

    public boolean ok() {
        return code == Code.OK;
    }

    public boolean noNode() {
        return code == Code.NONODE;
    }

    public ElectionException failure(String what) {
        String message = "Cannot " + what + ": " + ErrorTexts.of(code);
        return ambiguous() ? new ElectionConnectionException(message) : new ElectionException(message);
    }

    /** Whether it is unknown if the request was carried out. */
    public boolean ambiguous() {
        return switch (code) {
            // AUTHFAILED: the client fails all pending requests with it when the server rejects its credentials.
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONMOVED, SESSIONEXPIRED, AUTHFAILED -> true;
            default -> false;
        };
    }
}
