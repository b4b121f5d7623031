package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.nio.file.Path;

/**
 * The JSON Schemas of {@code schema/messages}. All that the server sends to these tests is
 * validated against them.
 */
public final class MessageSchema {

    /** Error bodies of HTTP answers. */
    public static final MessageSchema ERROR = new MessageSchema("error.json");

    /** Frames from client to server. */
    public static final MessageSchema CLIENT = new MessageSchema("client.json");

    /** Frames from server to client. */
    public static final MessageSchema SERVER = new MessageSchema("server.json");

    private final JsonSchema schema;

    private MessageSchema(String file) {
        String place = Path.of(System.getProperty("orestes.root", "../.."), "schema", "messages", file)
                .toAbsolutePath()
                .normalize()
                .toUri()
                .toString();
        schema = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(SchemaLocation.of(place));
    }

    /** Fails with a reason unless the text conforms to the schema. */
    public void check(String json) {
        assertThat(schema.validate(json, InputFormat.JSON)).as(json).isEmpty();
    }

    public boolean allows(String json) {
        return schema.validate(json, InputFormat.JSON).isEmpty();
    }
}
