package io.orestes.store.mongo.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.driver.WriteInDoubtException;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import java.util.List;

/**
 * The executor of conditional writes that are made alone, which resolves those in doubt and
 * explains failures. Used on the store's context only.
 */
public final class SingleWriteExecutor {

    private final WriteCommands writeCommands;
    private final InsertBatcher inserter;
    private final InDoubtWriteResolver inDoubt;
    private final RecentMetadataCache recent;
    private final WriteFailureDiagnosis writeFailureDiagnosis;
    private final Sender sender = new Sender();

    /** @param recent cache of the states after the writes */
    public SingleWriteExecutor(
            WriteCommands writeCommands,
            InsertBatcher inserter,
            InDoubtWriteResolver inDoubt,
            RecentMetadataCache recent,
            WriteFailureDiagnosis writeFailureDiagnosis) {
        this.writeCommands = writeCommands;
        this.inserter = inserter;
        this.inDoubt = inDoubt;
        this.recent = recent;
        this.writeFailureDiagnosis = writeFailureDiagnosis;
    }

    /** Executes at most one change, without a transaction of several. */
    Future<List<WriteOutcome>> execute(List<ConditionalWrite> atMostOne) {
        return Future.all(atMostOne.stream().map(this::execute).toList()).map(CompositeFuture::list);
    }

    private Future<WriteOutcome> execute(ConditionalWrite conditionalWrite) {
        return conditionalWrite
                .accept(sender)
                .recover(failure -> failure instanceof WriteInDoubtException
                        ? inDoubt.resolve(conditionalWrite, failure)
                        : Future.failedFuture(failure))
                .onSuccess(outcome -> recent.put(outcome, conditionalWrite.completionRecords()))
                .onFailure(failure -> recent.evict(conditionalWrite.ref()))
                .recover(failure -> writeFailureDiagnosis.explain(failure, conditionalWrite));
    }

    /** Evicts the cached state of an object that was written otherwise. */
    void evict(ObjectRef ref) {
        recent.evict(ref);
    }

    /** The way to send each kind of write. */
    private final class Sender implements ConditionalWrite.Visitor<Future<WriteOutcome>> {

        @Override
        public Future<WriteOutcome> insert(ConditionalWrite.ConditionalInsert insertion) {
            return inserter.insert(insertion);
        }

        @Override
        public Future<WriteOutcome> replace(ConditionalWrite.ConditionalReplace replacement) {
            return writeCommands.execute(replacement);
        }

        /**
         * Commits a deletion together with its tombstone, by which it is recognised if its response
         * is lost.
         */
        @Override
        public Future<WriteOutcome> delete(ConditionalWrite.ConditionalDelete deletion) {
            return writeCommands.executeInTransaction(deletion);
        }
    }
}
