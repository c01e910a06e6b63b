package io.github.leaderelection.zookeeper.znode;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The JSON objects that nodes hold. */
final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Begins an object, which ends when the generator is closed. */
    static JsonGenerator generator(OutputStream target) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), target).writeStartObject();
    }

    /** Reads an object, beginning with its first property. */
    static JsonParser parser(byte[] data) {
        JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), data);
        json.nextToken();
        return json;
    }

    /** Moves to the value of the next property, and returns its name; null at the end of the object. */
    static @Nullable String nextProperty(JsonParser json) {
        if (json.nextToken() != JsonToken.PROPERTY_NAME) {
            return null;
        }
        String name = json.currentName();
        json.nextToken();
        return name;
    }
}
