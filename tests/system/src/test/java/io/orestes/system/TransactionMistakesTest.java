package io.orestes.system;

import io.orestes.support.http.Client;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on a single server with its own store. */
@ExtendWith(SharedBackend.class)
final class TransactionMistakesTest extends TransactionMistakesContract {

    private final Backend backend;

    TransactionMistakesTest(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Override
    protected Client next() {
        return backend.anonymous();
    }
}
