package io.orestes.coherence;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Ways to send writes. In every way objects are inserted whole and only what is written changes.
 */
enum WriteMode {
    /** One object, replaced as a whole. */
    REPLACE {
        @Override
        Message send(HttpConnection wire, List<Group.Write> writes) throws IOException {
            Group.Write write = writes.get(0);
            Group.Change change = write.changes().get(0);
            return change.isDelete()
                    ? wire.send(new Message("DELETE /v1" + change.key() + " HTTP/1.1", HEADERS, ""))
                    : wire.send(request("PUT", change.key(), write.body()));
        }
    },

    /** One object, a part of it. */
    UPDATE {
        @Override
        Message send(HttpConnection wire, List<Group.Write> writes) throws IOException {
            Group.Write write = writes.get(0);
            Group.Change change = write.changes().get(0);
            return write.kind(change) == Group.Kind.UPDATE
                    ? wire.send(request("POST", change.key(), write.operations()))
                    : REPLACE.send(wire, writes);
        }
    },

    /** One object of each write, independently. */
    BULK {
        @Override
        Message send(HttpConnection wire, List<Group.Write> writes) throws IOException {
            BsonArray operations = new BsonArray();
            writes.forEach(
                    write -> operations.add(operation(write, write.changes().get(0))));
            String first = writes.get(0).changes().get(0).key();
            String bulk = first.substring(0, first.lastIndexOf('/')) + "/bulk";
            return wire.send(request("POST", bulk, new BsonDocument("operations", operations)));
        }

        @Override
        boolean isDone(Message answer, int place) {
            return super.isDone(answer, place)
                    && BsonDocument.parse(answer.body())
                                    .getArray("results")
                                    .get(place)
                                    .asDocument()
                                    .getInt32("status")
                                    .getValue()
                            < 300;
        }
    },

    /** All objects of all writes or none. */
    TRANSACTION {
        @Override
        Message send(HttpConnection wire, List<Group.Write> writes) throws IOException {
            BsonDocument commit = new BsonDocument("writeSet", new BsonArray())
                    .append("partialUpdates", new BsonArray())
                    .append("deleteSet", new BsonArray());
            for (Group.Write write : writes) {
                for (Group.Change change : write.changes()) {
                    add(commit, write, change, wire);
                }
            }
            Message begun = wire.send(request("POST", "/transaction", new BsonDocument()));
            if (begun.status() != 201) {
                return begun;
            }
            String tid = BsonDocument.parse(begun.body()).getString("tid").getValue();
            return wire.send(request("PUT", "/transaction/" + tid + "/committed", commit));
        }
    };

    private static final Map<String, String> HEADERS = Map.of("host", "localhost", "content-type", "application/json");

    /**
     * Sends the writes and returns the answer. A way that writes one object writes the first of
     * all.
     */
    abstract Message send(HttpConnection wire, List<Group.Write> writes) throws IOException;

    /** Returns whether the answer says that one of the writes was done. */
    boolean isDone(Message answer, int place) {
        return answer.status() / 100 == 2;
    }

    /** Returns whether it invalidates browsers' copy of the object (RFC 9111, section 4.4). */
    boolean isSentToTheObject() {
        return this == REPLACE || this == UPDATE;
    }

    private static Message request(String method, String path, BsonDocument body) {
        return new Message(method + " /v1" + path + " HTTP/1.1", HEADERS, "").withBody(body.toJson());
    }

    private static BsonDocument operation(Group.Write write, Group.Change change) {
        BsonString id = new BsonString(change.key());
        return switch (write.kind(change)) {
            case INSERT -> new BsonDocument("insert", write.body().append("id", id));
            case UPDATE -> new BsonDocument("update", write.operations()).append("id", id);
            case DELETE -> new BsonDocument("delete", id);
        };
    }

    private static void add(BsonDocument commit, Group.Write write, Group.Change change, HttpConnection wire)
            throws IOException {
        BsonString id = new BsonString(change.key());
        switch (write.kind(change)) {
            case INSERT -> commit.getArray("writeSet").add(write.body().append("id", id));
            case UPDATE ->
                commit.getArray("partialUpdates")
                        .add(new BsonDocument("ref", id).append("operations", write.operations()));
            case DELETE -> commit.getArray("deleteSet").add(new BsonDocument(change.key(), version(change, wire)));
        }
    }

    /** Its only writer reads it, so the version stays current. */
    private static BsonValue version(Group.Change change, HttpConnection wire) throws IOException {
        Message found = wire.send(Message.get("/v1" + change.key()).with("cache-control", "no-cache"));
        return found.status() == 200 ? BsonDocument.parse(found.body()).getNumber("version") : new BsonInt32(-1);
    }
}
