package io.orestes.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.store.ObjectStore;

/**
 * The stage that checks the permissions of the object's class. It is the first stage of every
 * write, and does not access the store's objects: the permissions of the object itself are compared
 * in the commit.
 */
final class WriteAuthorizer {

    private final SchemaRegistry schemas;
    private final ObjectStore store;

    WriteAuthorizer(SchemaRegistry schemas, ObjectStore store) {
        this.schemas = schemas;
        this.store = store;
    }

    /**
     * Fails with {@code PERMISSION_DENIED} unless the principal may write objects of the class in
     * this way.
     */
    AuthorizedWrite authorize(Principal principal, WriteRequest request) {
        WriteSchema schema = writeSchema(request.ref().bucket());
        request.authorize(principal, schema.type());
        return new AuthorizedWrite(principal, request, schema);
    }

    private WriteSchema writeSchema(String bucket) {
        long schemaEpoch = store.schemaEpoch(bucket);
        ObjectCodec codec = schemas.codec();
        return new WriteSchema(schemaEpoch, codec, codec.schema().entity(bucket));
    }

    /** Fails with {@code PERMISSION_DENIED} unless the principal may load objects of the class. */
    void requireLoad(Principal principal, ObjectRef ref) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
    }
}
