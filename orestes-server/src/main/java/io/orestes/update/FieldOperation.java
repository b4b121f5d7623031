package io.orestes.update;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;

/** One operation of a partial update, type-checked against the schema. Pure and immutable. */
sealed interface FieldOperation {

    /** Returns the document after the operation; the one given is not changed. */
    BsonDocument apply(BsonDocument document, long at);

    /** Returns the paths that the operation reads or writes. */
    List<UpdatePath> paths();

    /** True if the operation changes the object's permissions. */
    boolean touchesAcl();

    /** The operation that replaces the value at one path by a function of it. */
    record FieldChange(String operator, UpdatePath path, ValueChange change) implements FieldOperation {

        @Override
        public BsonDocument apply(BsonDocument document, long at) {
            return path.withValue(document, before -> after(before, at));
        }

        @Override
        public List<UpdatePath> paths() {
            return List.of(path);
        }

        @Override
        public boolean touchesAcl() {
            return path.isAcl();
        }

        private BsonValue after(BsonValue before, long at) {
            if (path.isInJson() && !before.isNull() && !change.accepts(before.getBsonType())) {
                throw UpdateErrors.unsupported(operator, path.path());
            }
            try {
                return change.apply(before, at);
            } catch (ArithmeticException beyond64Bits) {
                throw UpdateErrors.beyondRange(path.path());
            }
        }
    }

    /**
     * The operation that moves a value from one path to another of the same type. The first path is
     * unset afterwards.
     */
    record FieldTransfer(UpdatePath from, UpdatePath to) implements FieldOperation {

        @Override
        public BsonDocument apply(BsonDocument document, long at) {
            BsonValue moved = from.read(document);
            BsonDocument left = from.withValue(document, before -> BsonNull.VALUE);
            return to.withValue(left, before -> moved);
        }

        @Override
        public List<UpdatePath> paths() {
            return List.of(from, to);
        }

        @Override
        public boolean touchesAcl() {
            return from.isAcl() || to.isAcl();
        }
    }

    /** True for types of values that an operation on numbers accepts. */
    static boolean isNumber(BsonType type) {
        return type == BsonType.INT64 || type == BsonType.DOUBLE;
    }
}
