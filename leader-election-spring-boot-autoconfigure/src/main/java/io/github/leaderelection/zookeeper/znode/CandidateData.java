package io.github.leaderelection.zookeeper.znode;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.support.OneLine;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The data of a candidate's node: its identity, and where its connection's heartbeat can be observed.
 *
 * @param application the name of its application; empty if it is unknown
 * @param heartbeat the path of the heartbeat; empty if it is unknown
 * @param protocol the version of the rules that it follows
 */
public record CandidateData(
        String id, String application, Map<String, String> metadata, String heartbeat, int protocol) {

    /** A candidate of version 2 sends heartbeats while it holds the record, and never recreates a deleted one. */
    public static final int PROTOCOL = 2;

    /** The data of one of our own candidates. */
    public CandidateData(String id, String application, Map<String, String> metadata, String heartbeat) {
        this(id, application, metadata, heartbeat, PROTOCOL);
    }

    public byte[] toJson() {
        var bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.generator(bytes)) {
            json.writeStringProperty("id", id);
            if (!application.isEmpty()) {
                json.writeStringProperty("application", application);
            }
            json.writeObjectPropertyStart("metadata");
            for (Map.Entry<String, String> entry : metadata.entrySet()) {
                json.writeStringProperty(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            json.writeStringProperty("beat", heartbeat);
            json.writeNumberProperty("protocol", protocol);
        }
        return bytes.toByteArray();
    }

    /** Reads as much as possible: other versions, other tools and people may have written the node. */
    public static CandidateData parse(byte[] data) {
        String id = "";
        String application = "";
        String heartbeat = "";
        int protocol = 1;
        Map<String, String> metadata = new LinkedHashMap<>();
        try (JsonParser json = Json.parser(data)) {
            for (String name = Json.nextProperty(json); name != null; name = Json.nextProperty(json)) {
                boolean string = json.currentToken() == JsonToken.VALUE_STRING;
                if (string && name.equals("id")) {
                    id = json.getString();
                } else if (string && name.equals("application")) {
                    application = json.getString();
                } else if (string && name.equals("beat")) {
                    heartbeat = pathOrNothing(json.getString());
                } else if (name.equals("protocol") && json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                    protocol = json.getIntValue();
                } else if (name.equals("metadata") && json.currentToken() == JsonToken.START_OBJECT) {
                    readStrings(json, metadata);
                } else {
                    json.skipChildren();
                }
            }
        } catch (JacksonException unreadable) {
            // What was read before is all there is.
        }
        return new CandidateData(id, application, metadata, heartbeat, protocol);
    }

    /** Whether it keeps the rules that let its heir take over from it. */
    public boolean allowsTakeOver() {
        return protocol == PROTOCOL;
    }

    /** Whether a later version of this library wrote it, with rules that this one does not know. */
    public boolean isNewer() {
        return protocol > PROTOCOL;
    }

    private static void readStrings(JsonParser json, Map<String, String> target) {
        for (String key = Json.nextProperty(json); key != null; key = Json.nextProperty(json)) {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                target.put(key, json.getString());
            } else {
                json.skipChildren();
            }
        }
    }

    private static String pathOrNothing(String path) {
        try {
            PathUtils.validatePath(path);
            return path;
        } catch (IllegalArgumentException invalid) {
            return "";
        }
    }

    public static Candidate candidate(NodeName node, byte[] data, Stat stat) {
        CandidateData parsed = parse(data);
        Instant since = Instant.ofEpochMilli(stat.getCtime());
        return new Candidate(OneLine.of(parsed.id), parsed.metadata, node.priority(), node.sequence(), since);
    }
}
