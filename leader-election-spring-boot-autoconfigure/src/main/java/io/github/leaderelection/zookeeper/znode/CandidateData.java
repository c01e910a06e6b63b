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
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What a candidate's node says: who it is, and where its connection's heartbeat can be seen.
 *
 * @param heartbeat the path of the beat; empty if it is not told
 */
public record CandidateData(String id, Map<String, String> metadata, String heartbeat) {

    private static final JsonFactory JSON = new JsonFactory();

    public byte[] toJson() {
        var bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("id", id);
            json.writeObjectPropertyStart("metadata");
            metadata.forEach(json::writeStringProperty);
            json.writeEndObject();
            json.writeStringProperty("beat", heartbeat);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** Reads what it can: other versions, other tools and people may have written the node. */
    public static CandidateData parse(byte[] data) {
        String id = "";
        String heartbeat = "";
        Map<String, String> metadata = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), data)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = json.currentName();
                    JsonToken value = json.nextToken();
                    if (name.equals("id") && value == JsonToken.VALUE_STRING) {
                        id = json.getString();
                    } else if (name.equals("beat") && value == JsonToken.VALUE_STRING) {
                        heartbeat = pathOrNothing(json.getString());
                    } else if (name.equals("metadata") && value == JsonToken.START_OBJECT) {
                        readStrings(json, metadata);
                    } else {
                        json.skipChildren();
                    }
                }
            }
        } catch (JacksonException unreadable) {
            // What was understood so far is all there is to know.
        }
        return new CandidateData(id, metadata, heartbeat);
    }

    private static String pathOrNothing(String path) {
        try {
            PathUtils.validatePath(path);
            return path;
        } catch (IllegalArgumentException invalid) {
            return "";
        }
    }

    private static void readStrings(JsonParser json, Map<String, String> target) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_STRING) {
                target.put(key, json.getString());
            } else {
                json.skipChildren();
            }
        }
    }

    public static Candidate candidate(NodeName node, byte[] data, Stat stat) {
        CandidateData said = parse(data);
        return new Candidate(
                OneLine.of(said.id),
                said.metadata,
                node.sequence(),
                stat.getCzxid(),
                Instant.ofEpochMilli(stat.getCtime()));
    }
}
