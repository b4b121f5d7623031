package io.orestes.store.mongo.document;

import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The completion records of an object: the last write that each process made to it (RIFL, SOSP
 * 2015, section 4). They are found by the name of the process and are in the order of these writes.
 * A process makes one write of an object after the other. So the record of its last one decides
 * whether that write was made, whatever other processes have written since. A document contains the
 * records under {@link MongoCollections#WRITES}, the tombstone of a deleted object under {@link
 * TombstoneCollection#WRITES}.
 *
 * @param byWriter numbers of writes by name of the process
 */
public record CompletionRecords(BsonDocument byWriter) {

    /**
     * Maximum number of processes whose records a document contains; the one whose last write is
     * oldest is left out.
     */
    static final int MAX_WRITERS = 8;

    public static final CompletionRecords NONE = new CompletionRecords(new BsonDocument());

    /**
     * Returns the records of a document, without other members that programs may have put there.
     */
    public static CompletionRecords in(BsonDocument document, String field) {
        BsonValue records = document.get(field, BsonNull.VALUE);
        if (!records.isDocument()) {
            return NONE;
        }
        BsonDocument own = new BsonDocument();
        records.asDocument().forEach((writer, number) -> {
            if (number.isInt64() && WriteId.isWriter(writer)) {
                own.append(writer, number);
            }
        });
        return new CompletionRecords(own);
    }

    /** Returns these records with one write more. */
    public CompletionRecords with(WriteId write) {
        BsonDocument next = new BsonDocument();
        next.putAll(byWriter);
        next.remove(write.writer());
        next.append(write.writer(), new BsonInt64(write.number()));
        while (next.size() > MAX_WRITERS) {
            next.remove(next.getFirstKey());
        }
        return new CompletionRecords(next);
    }

    /**
     * True if the absence of a write proves that it was not made: there are records, and none of
     * its process was left out.
     */
    public boolean areCompleteFor(WriteId write) {
        return byWriter.containsKey(write.writer()) || (!byWriter.isEmpty() && byWriter.size() < MAX_WRITERS);
    }

    /** True if the last write of its process was this one. */
    public boolean contain(WriteId write) {
        return new BsonInt64(write.number()).equals(byWriter.get(write.writer()));
    }
}
