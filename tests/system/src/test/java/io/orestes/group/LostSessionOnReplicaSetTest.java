package io.orestes.group;

import io.orestes.support.mongo.Mongod;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept where commits are transactions of MongoDB. */
final class LostSessionOnReplicaSetTest extends LostSessionContract {

    LostSessionOnReplicaSetTest(@TempDir Path folder) throws Exception {
        super(folder, Mongod.replicaSet(folder.resolve("mongo")));
    }

    @Override
    Stream<Moment> moments() {
        return Stream.of(Moment.NOTHING_WRITTEN, Moment.ALL_BUT_THE_END_WRITTEN, Moment.ALL_WRITTEN);
    }
}
