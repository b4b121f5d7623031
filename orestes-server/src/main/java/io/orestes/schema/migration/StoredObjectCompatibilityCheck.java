package io.orestes.schema.migration;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.schema.codec.ObjectValidator;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldConstraints;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.NamingRules;
import io.orestes.store.DocumentRewrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The check whether all stored objects of changed classes are compatible with the next schema. It
 * concerns narrower constraints and values that may not fit their new type. The store checks the
 * objects while nothing else can change them. Every write from then until the next schema is in
 * force has to pass {@link #require}. Safe for all threads.
 */
public final class StoredObjectCompatibilityCheck {

    /** Maximum number of ids in a refusal. */
    public static final int MAX_REPORTED_IDS = 10;

    private final Schema after;
    private final DataMigration moves;
    private final ObjectValidator objectValidator;
    private final boolean mayNotFit;
    private final Set<String> buckets;
    private final List<String> misfits = new ArrayList<>();
    private long misfitCount;

    public StoredObjectCompatibilityCheck(Schema before, Schema after, DataMigration moves, MisfitPolicy policy) {
        this.after = after;
        this.moves = moves;
        this.objectValidator = new ObjectValidator(after);
        this.mayNotFit = policy == MisfitPolicy.REFUSE && moves.mayLoseValues();
        this.buckets = buckets(before);
    }

    public boolean isNeeded() {
        return !buckets.isEmpty();
    }

    /**
     * Returns the scans of all affected objects by class; they change none. Resets earlier
     * findings.
     */
    public synchronized Map<String, DocumentRewrite> scans() {
        misfits.clear();
        misfitCount = 0;
        return buckets.stream().collect(Collectors.toUnmodifiableMap(bucket -> bucket, Scan::new));
    }

    /**
     * Returns why the change is refused, with the first ids in the data; empty if all scanned
     * objects are compatible.
     */
    public synchronized Optional<ApiException> refusal() {
        if (misfitCount == 0) {
            return Optional.empty();
        }
        BsonArray ids = new BsonArray(misfits.stream().map(BsonString::new).toList());
        return Optional.of(SchemaRules.incompatible((misfitCount == 1 ? "1 object does" : misfitCount + " objects do")
                        + " not fit the changed schema, such as " + NamingRules.shorten(misfits.get(0)))
                .withData(new BsonDocument("ids", ids)));
    }

    /**
     * Fails with {@code INVALID_TYPE_VALUE} if an object in its stored form before the change would
     * be incompatible.
     */
    public void require(ClassSchema type, BsonDocument stored) {
        if (!buckets.contains(type.name())) {
            return;
        }
        if (mayNotFit && !moves.fits(type.name(), stored)) {
            throw ObjectValidator.invalid("", "A value does not fit the new type of its field");
        }
        objectValidator.require(after.get(type.name()), moves.rewrite(type.name(), stored));
    }

    private Set<String> buckets(Schema before) {
        Set<String> concerned = after.holders(after.classes().stream()
                .filter(type -> isNarrowed(before, type))
                .map(ClassSchema::name)
                .collect(Collectors.toSet()));
        if (mayNotFit) {
            concerned.addAll(moves.rewrites().keySet());
        }
        return before.classes().stream()
                .filter(type -> !type.embedded() && after.find(type.name()).isPresent())
                .map(ClassSchema::name)
                .filter(concerned::contains)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether objects may exist that were valid and are not any more. */
    private boolean isNarrowed(Schema before, ClassSchema type) {
        return before.find(type.name())
                .filter(known -> after.fields(type).stream().anyMatch(field -> {
                    FieldConstraints wanted = FieldConstraints.of(field);
                    return !wanted.isEmpty()
                            && before.field(known, field.name())
                                    .filter(same -> same.type().equals(field.type())
                                            && FieldConstraints.of(same).equals(wanted))
                                    .isEmpty();
                }))
                .isPresent();
    }

    private void scan(String bucket, BsonDocument stored) {
        try {
            require(after.get(bucket), stored);
        } catch (ApiException misfit) {
            recordMisfit(stored.getString(StoredObject.ID).getValue());
        }
    }

    private synchronized void recordMisfit(String id) {
        misfitCount++;
        if (misfits.size() < MAX_REPORTED_IDS) {
            misfits.add(id);
        }
    }

    /** A scan that leaves every object unchanged. */
    private final class Scan implements DocumentRewrite {

        private final String bucket;

        private Scan(String bucket) {
            this.bucket = bucket;
        }

        @Override
        public BsonDocument fields(BsonDocument stored) {
            scan(bucket, stored);
            return stored;
        }

        @Override
        public String path(String indexed) {
            return indexed;
        }
    }
}
