package io.github.leaderelection.zookeeper.znode;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * The record of the leader: {@code <election>/leader}.
 *
 * @param holder the node name of the candidate that leads or was named to lead; empty if there is none
 * @param heir the node name of the candidate that the holder has chosen to come next; empty if there is none
 * @param token the fencing token of the holder; 0 stands for the zxid of the transaction that wrote the record
 * @param lease how long, in milliseconds, the holder may consider itself the leader without renewing
 * @param requested whether a client has asked for this very holder, so that the leadership stays where it is
 * @param acknowledged for an ended election: its last leader has stopped
 */
public record LeaderRecord(
        State state, String holder, String heir, long token, long lease, boolean requested, boolean acknowledged) {

    public enum State {
        HELD,
        RELEASED,
        ENDED,
        /** Written by a later version of this library: this one neither claims nor leads. */
        NEWER
    }

    public static final String NODE = "leader";
    private static final int VERSION = 1;
    private static final long LONGEST_LEASE = 24 * 60 * 60 * 1000;

    public static LeaderRecord held(String holder, long token, long lease) {
        return held(holder, "", token, lease);
    }

    public static LeaderRecord held(String holder, String heir, long token, long lease) {
        return new LeaderRecord(State.HELD, holder, heir, token, lease, false, false);
    }

    public LeaderRecord requested(boolean requested) {
        return new LeaderRecord(state, holder, heir, token, lease, requested, acknowledged);
    }

    /** R11: the nanoseconds after which a lease must be over: 1.1 times the lease, since clock rates may differ by 10 %. */
    public static long waitNanos(long leaseMillis) {
        return leaseMillis * 1_100_000;
    }

    public static LeaderRecord released(long token, long lease) {
        return new LeaderRecord(State.RELEASED, "", "", token, lease, false, false);
    }

    /** This record once the election has ended; without a holder no acknowledgement is needed. */
    public LeaderRecord ended() {
        return new LeaderRecord(State.ENDED, holder, "", token, lease, false, acknowledged || state == State.RELEASED);
    }

    public LeaderRecord acknowledge() {
        return new LeaderRecord(state, holder, heir, token, lease, requested, true);
    }

    public boolean heldBy(String node) {
        return state == State.HELD && holder.equals(node);
    }

    /** The holder's token, given the zxid of the transaction that wrote the record. */
    public long token(long mzxid) {
        return token == 0 ? mzxid : token;
    }

    public byte[] toJson() {
        var bytes = new ByteArrayOutputStream(128);
        try (JsonGenerator json = Json.generator(bytes)) {
            json.writeNumberProperty("version", VERSION);
            json.writeStringProperty("state", state.name());
            json.writeStringProperty("holder", holder);
            if (!heir.isEmpty()) {
                json.writeStringProperty("heir", heir);
            }
            json.writeNumberProperty("token", token);
            json.writeNumberProperty("lease", lease);
            if (requested) {
                json.writeBooleanProperty("requested", true);
            }
            if (acknowledged) {
                json.writeBooleanProperty("acknowledged", true);
            }
        }
        return bytes.toByteArray();
    }

    /** Empty if this version cannot act on it; unknown fields are ignored. */
    public static Optional<LeaderRecord> parse(byte[] data) {
        State state = null;
        int version = VERSION;
        String holder = "";
        String heir = "";
        long token = 0;
        long lease = 0;
        boolean requested = false;
        boolean acknowledged = false;
        try (JsonParser json = Json.parser(data)) {
            for (String name = Json.nextProperty(json); name != null; name = Json.nextProperty(json)) {
                switch (name) {
                    case "version" -> version = json.getIntValue();
                    case "state" -> state = State.valueOf(json.getString());
                    case "holder" -> holder = json.getString();
                    case "heir" -> heir = json.getString();
                    case "token" -> token = json.getLongValue();
                    case "lease" -> lease = json.getLongValue();
                    case "requested" -> requested = json.getBooleanValue();
                    case "acknowledged" -> acknowledged = json.getBooleanValue();
                    default -> json.skipChildren();
                }
            }
        } catch (JacksonException | IllegalArgumentException unreadable) {
            if (version <= VERSION) {
                return Optional.empty();
            }
        }
        if (version > VERSION) {
            return Optional.of(new LeaderRecord(State.NEWER, holder, "", token, Math.max(1, lease), false, false));
        }
        if (state == null || lease <= 0 || lease > LONGEST_LEASE || token < 0 || token == Long.MAX_VALUE) {
            return Optional.empty();
        }
        return Optional.of(new LeaderRecord(state, holder, heir, token, lease, requested, acknowledged));
    }
}
