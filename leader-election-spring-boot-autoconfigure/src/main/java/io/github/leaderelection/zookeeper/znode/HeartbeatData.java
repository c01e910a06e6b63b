package io.github.leaderelection.zookeeper.znode;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * The data of a connection's heartbeat.
 *
 * @param led how many elections the connection leads; 0 if the heartbeat does not say
 */
public record HeartbeatData(int led) {

    public byte[] toJson() {
        var bytes = new ByteArrayOutputStream(16);
        try (JsonGenerator json = Json.generator(bytes)) {
            json.writeNumberProperty("led", led);
        }
        return bytes.toByteArray();
    }

    /** Reads as much as possible: a heartbeat that has never renewed anything is empty. */
    public static HeartbeatData parse(byte[] data) {
        int led = 0;
        try (JsonParser json = Json.parser(data)) {
            for (String name = Json.nextProperty(json); name != null; name = Json.nextProperty(json)) {
                if (name.equals("led")) {
                    led = Math.max(0, json.getIntValue());
                } else {
                    json.skipChildren();
                }
            }
        } catch (JacksonException unreadable) {
            // What was read before is all there is.
        }
        return new HeartbeatData(led);
    }
}
