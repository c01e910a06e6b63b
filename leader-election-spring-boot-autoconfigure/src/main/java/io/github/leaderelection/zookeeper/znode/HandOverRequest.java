package io.github.leaderelection.zookeeper.znode;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * A request to hand the leadership over: {@code <election>/handover}, an ephemeral node of the client that asks.
 *
 * @param to the node name of the candidate that is to lead
 * @param holder the node name of the candidate that is asked; if it no longer leads, the request is void
 * @param answer what the holder has answered
 */
public record HandOverRequest(String to, String holder, Answer answer) {

    public enum Answer {
        NONE,
        /** The holder drains, and then hands over. */
        ACCEPTED,
        NO_SUCH_CANDIDATE
    }

    public static final String NODE = "handover";

    public HandOverRequest(String to, String holder) {
        this(to, holder, Answer.NONE);
    }

    public HandOverRequest answer(Answer answer) {
        return new HandOverRequest(to, holder, answer);
    }

    public byte[] toJson() {
        var bytes = new ByteArrayOutputStream(128);
        try (JsonGenerator json = Json.generator(bytes)) {
            json.writeStringProperty("to", to);
            json.writeStringProperty("holder", holder);
            if (answer != Answer.NONE) {
                json.writeStringProperty("answer", answer.name());
            }
        }
        return bytes.toByteArray();
    }

    /** Empty if it cannot be read. */
    public static Optional<HandOverRequest> parse(byte[] data) {
        String to = "";
        String holder = "";
        Answer answer = Answer.NONE;
        try (JsonParser json = Json.parser(data)) {
            for (String name = Json.nextProperty(json); name != null; name = Json.nextProperty(json)) {
                switch (name) {
                    case "to" -> to = json.getString();
                    case "holder" -> holder = json.getString();
                    case "answer" -> answer = Answer.valueOf(json.getString());
                    default -> json.skipChildren();
                }
            }
        } catch (JacksonException | IllegalArgumentException unreadable) {
            return Optional.empty();
        }
        return NodeName.parse(to).isPresent() ? Optional.of(new HandOverRequest(to, holder, answer)) : Optional.empty();
    }
}
