package io.orestes.write;

import io.orestes.model.Principal;

/**
 * A write that the permissions of its class allow.
 *
 * @param schema the schema by which it was authorized
 */
record AuthorizedWrite(Principal principal, WriteRequest request, WriteSchema schema) {

    /**
     * Checks the write by the same schema, which is the second stage. Fails if the body does not
     * fit the class, or if its id is not allowed.
     */
    ValidatedWrite validate() {
        return new ValidatedWrite(principal, request, request.validate(principal, schema));
    }
}
