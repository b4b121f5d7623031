package io.orestes.group;

import io.orestes.support.mongo.Mongod;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept where commits leave marks and a record. */
@Tag("full")
final class LostSessionOnStandaloneTest extends LostSessionContract {

    LostSessionOnStandaloneTest(@TempDir Path folder) throws Exception {
        super(folder, Mongod.standalone(folder.resolve("mongo")));
    }

    @Override
    Stream<Moment> moments() {
        return Stream.of(Moment.NOTHING_WRITTEN, Moment.ALL_MARKED, Moment.DECIDED);
    }
}
