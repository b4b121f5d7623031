package io.orestes.store.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import io.vertx.core.Future;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;

/**
 * What kind of deployment this is.
 *
 * @param isReplicaSet whether several servers may hold the data, by its own account; so does a cluster of shards
 * @param hasTransactions whether several documents can be written together: by its own account, until it was tried
 */
record Shape(boolean isReplicaSet, boolean hasTransactions) {

    /** Where servers are asked about themselves. */
    static final String ADMIN = "admin";

    /** Asks the server. */
    static Future<Shape> of(MongoClient client, Publishers publishers) {
        return publishers
                .first(client.getDatabase(ADMIN)
                        .runCommand(new BsonDocument("hello", new BsonInt32(1)), BsonDocument.class))
                .map(answer -> of(answer.orElseThrow()));
    }

    private static Shape of(BsonDocument hello) {
        boolean isSharded = hello.get("msg", BsonNull.VALUE).isString();
        boolean isReplicaSet = isSharded || hello.containsKey("setName");
        return new Shape(isReplicaSet, isReplicaSet && hello.containsKey("logicalSessionTimeoutMinutes"));
    }

    /** The same with what came of trying. */
    Shape tried(boolean doTransactionsWork) {
        return new Shape(isReplicaSet, doTransactionsWork);
    }

    /** With which a write is durable once it is answered. */
    WriteConcern writeConcern() {
        return isReplicaSet ? WriteConcern.MAJORITY : WriteConcern.JOURNALED;
    }

    /** With which nothing is read that may be undone. */
    ReadConcern readConcern() {
        return isReplicaSet ? ReadConcern.MAJORITY : ReadConcern.LOCAL;
    }
}
