package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.ErrorForm;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.MessageSchema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages that clients may send, by the schema and by the server. Every test that receives a frame
 * or error of the server validates it against its schema, see {@link LiveSocket} and
 * {@link ErrorForm}.
 */
@ExtendWith(SharedBackend.class)
final class MessageSchemaTest {

    private final Backend backend;
    private String bucket = "";

    MessageSchemaTest(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}'}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','initial':true,'matchTypes':['all'],"
                        + "'operations':['any'],'reconnects':-1}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','sort':'{}','limit':null,'offset':null,"
                        + "'token':null}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','sort':'{\"text\":1}','limit':3,'offset':1}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','aggregate':'{\"_id\":null}'}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','matchTypes':['add','remove']}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','operations':['insert','none'],'what':'ever'}"
            })
    void subscribe_validBySchema_isAnsweredWithAResult(String form) throws Exception {
        String message = message(form);
        assertThat(MessageSchema.CLIENT.allows(message)).isTrue();

        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.send(message);

            assertThat(socket.next().getString("type").getValue()).isEqualTo("result");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "[]",
                "{}",
                "{'id':'s'}",
                "{'type':'subscribe','bucket':'$','query':'{}'}",
                "{'id':7,'type':'subscribe','bucket':'$','query':'{}'}",
                "{'id':'s','type':'publish','bucket':'$','query':'{}'}",
                "{'id':'s','type':'subscribe','query':'{}'}",
                "{'id':'s','type':'subscribe','bucket':7,'query':'{}'}",
                "{'id':'s','type':'subscribe','bucket':'$','query':{}}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','sort':1}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','limit':-3}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','aggregate':{'_id':null}}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','token':7}",
                "{'id':'s','type':'subscribe','bucket':'$','query':'{}','matchTypes':['sometimes']}",
                "{'type':'unsubscribe'}"
            })
    void message_invalidBySchema_isAnsweredWithAnError(String form) throws Exception {
        String message = message(form);
        assertThat(MessageSchema.CLIENT.allows(message)).isFalse();

        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.send(message);

            assertThat(socket.nextError()).isBetween(400, 499);
        }
    }

    @Test
    void unsubscribe_validBySchema_hasNoAnswer() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, "{}", "");
            assertThat(socket.next().getString("type").getValue()).isEqualTo("result");
            String message = message("{'id':'s','type':'unsubscribe'}");
            assertThat(MessageSchema.CLIENT.allows(message)).isTrue();

            socket.send(message);
            socket.subscribe("t", bucket, "{}", "");

            assertThat(socket.next().getString("id").getValue()).isEqualTo("t");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'s','type':'result','date':'2021-03-04T05:06:07.081Z'}",
                "{'id':'s','type':'result','date':'yesterday','data':[]}",
                "{'id':'s','type':'result','date':'2021-03-04T05:06:07.081Z','data':[{'id':'/db/A/b'}]}",
                "{'type':'match','date':'2021-03-04T05:06:07.081Z','matchType':'add','operation':'insert','data':{}}",
                "{'id':'s','type':'match','date':'2021-03-04T05:06:07.081Z','matchType':'add','operation':'delete',"
                        + "'data':{'id':'/db/A/b'}}",
                "{'id':'s','type':'match','date':'2021-03-04T05:06:07.081Z','matchType':'changeIndex',"
                        + "'operation':'update',"
                        + "'index':1,'data':{'_id':null,'n':1}}",
                "{'id':'s','type':'match','date':'2021-03-04T05:06:07.081Z','matchType':'add','operation':'none',"
                        + "'data':{'_id':null,'n':1}}",
                "{'id':'s','type':'error','date':'2021-03-04T05:06:07.081Z','error':{'message':'m','status':200}}"
            })
    void schemaOfTheServer_framesThatClientsCannotUse_areNotAllowed(String form) {
        assertThat(MessageSchema.SERVER.allows(message(form))).isFalse();
    }

    private String message(String form) {
        return form.replace("\"", "\\\"").replace('\'', '"').replace("$", bucket);
    }
}
