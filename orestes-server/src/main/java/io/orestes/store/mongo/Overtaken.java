package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt to write that changed nothing and is made again, with what is there now. Never leaves the store. */
final class Overtaken extends RuntimeException {

    private final @Nullable String parallel;
    private final @Nullable ObjectRef marked;

    private Overtaken(@Nullable String parallel, @Nullable ObjectRef marked) {
        super("Another writer was faster", null, false, false);
        this.parallel = parallel;
        this.marked = marked;
    }

    /** Another process has changed the object. */
    static Overtaken byAnother() {
        return new Overtaken(null, null);
    }

    /** Indexes of the bucket have to be reduced first, since MongoDB takes no two arrays of one document into one. */
    static Overtaken byParallelArrays(String bucket) {
        return new Overtaken(bucket, null);
    }

    /** A commit that is to change another object has to be over first. */
    static Overtaken byCommitOf(ObjectRef another) {
        return new Overtaken(null, another);
    }

    /** The bucket in which a document does not fit into an index. */
    Optional<String> parallel() {
        return Optional.ofNullable(parallel);
    }

    /** The object that a commit has marked, of whatever bucket. */
    Optional<ObjectRef> marked() {
        return Optional.ofNullable(marked);
    }
}
