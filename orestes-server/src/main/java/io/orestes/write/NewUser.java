package io.orestes.write;

import org.bson.BsonDocument;

/**
 * A user to be registered.
 *
 * @param fields as they are stored
 * @param form that of the class when they were checked
 */
public record NewUser(BsonDocument fields, long form) {

    static final String BUCKET = "User";

    /** The same with other values in fields that were checked. */
    public NewUser with(BsonDocument changed) {
        return new NewUser(changed, form);
    }
}
