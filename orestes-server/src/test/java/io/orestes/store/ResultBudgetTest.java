package io.orestes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.value.HeapSize;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.StoreQuery.MemoryBound;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** Memory that results may take together. */
final class ResultBudgetTest {

    private final ResultBudget room = new ResultBudget(10_000, 15_000);

    @Test
    void add_moreThanAResultMayTake_isRefusedAndGivenBack() {
        Future<?> read = room.readWithin(MemoryBound.ALL, share -> {
            ResultBudget.PartialResultShare part = share.part();
            part.add(ofAbout(6_000));
            assertThat(room.usedBytes()).isBetween(6_000L, 7_000L);
            return adding(part, 6_000);
        });

        assertThat(code(read)).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(room.usedBytes()).isZero();
    }

    @Test
    void add_oneThatIsTooLargeByItself_isTaken() {
        assertThat(room.readWithin(MemoryBound.ALL, share -> adding(share.part(), 40_000))
                        .succeeded())
                .isTrue();
        assertThat(room.usedBytes()).isZero();
    }

    @Test
    void add_beyondTheSharedBudget_isDelayedUntilOthersEnd() {
        Promise<Integer> first = Promise.promise();
        Future<Integer> reading = room.readWithin(MemoryBound.ALL, share -> {
            share.part().add(ofAbout(9_000));
            return first.future();
        });

        Future<?> late = room.readWithin(MemoryBound.ALL, share -> adding(share.part(), 9_000));
        first.complete(1);

        assertThat(reading.succeeded()).isTrue();
        assertThat(code(late)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(room.readWithin(MemoryBound.ALL, share -> adding(share.part(), 9_000))
                        .succeeded())
                .isTrue();
    }

    @Test
    void add_withinHalf_leavesTheOtherToTheRest() {
        Future<?> half = room.readWithin(MemoryBound.HALF, share -> {
            ResultBudget.PartialResultShare part = share.part();
            part.add(ofAbout(4_000));
            assertThat(room.readWithin(MemoryBound.HALF, other -> adding(other.part(), 4_000))
                            .failed())
                    .isTrue();
            assertThat(room.readWithin(MemoryBound.ALL, other -> adding(other.part(), 8_000))
                            .succeeded())
                    .isTrue();
            return adding(part, 4_000);
        });

        assertThat(code(half)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void add_aSmallResult_hasRoomWhateverOthersTake() {
        ResultBudget large = new ResultBudget(1 << 20, 1 << 20);

        Future<?> others = large.readWithin(MemoryBound.ALL, share -> {
            share.part().add(ofAbout(1 << 20));
            assertThat(large.readWithin(MemoryBound.ALL, small -> adding(small.part(), 10_000))
                            .succeeded())
                    .isTrue();
            assertThat(code(large.readWithin(MemoryBound.ALL, other -> adding(other.part(), 20_000))))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            return Future.succeededFuture();
        });

        assertThat(others.succeeded()).isTrue();
        assertThat(large.usedBytes()).isZero();
    }

    @Test
    void remove_andClear_makeRoom() {
        Future<?> read = room.readWithin(MemoryBound.ALL, share -> {
            ResultBudget.PartialResultShare part = share.part();
            part.add(ofAbout(4_000));
            BsonDocument other = ofAbout(4_000);
            part.add(other);
            part.remove(other);
            part.add(other);
            part.clear();
            assertThat(room.usedBytes()).isZero();
            part.add(other);
            return adding(part, 4_000);
        });

        assertThat(read.succeeded()).isTrue();
        assertThat(room.usedBytes()).isZero();
    }

    /** A repeated read of one part releases nothing of the others. */
    @Test
    void parts_areOneResult() {
        Future<?> read = room.readWithin(MemoryBound.ALL, share -> {
            ResultBudget.PartialResultShare one = share.part();
            ResultBudget.PartialResultShare other = share.part();
            one.add(ofAbout(4_000));
            other.add(ofAbout(4_000));
            one.clear();
            assertThat(room.usedBytes()).isBetween(4_000L, 5_000L);
            one.add(ofAbout(4_000));
            return adding(other, 4_000);
        });

        assertThat(code(read)).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(room.usedBytes()).isZero();
    }

    /** An abandoned query may still receive objects from MongoDB. */
    @Test
    void add_afterTheEnd_isRefusedAndNothingIsGivenBackTwice() {
        ResultBudget.PartialResultShare[] parts = new ResultBudget.PartialResultShare[1];
        BsonDocument object = ofAbout(1_000);
        Future<?> read = room.readWithin(MemoryBound.ALL, share -> {
            parts[0] = share.part();
            parts[0].add(object);
            return Future.succeededFuture();
        });

        assertThat(read.succeeded()).isTrue();
        assertThatThrownBy(() -> parts[0].add(ofAbout(10))).isInstanceOf(ApiException.class);
        parts[0].remove(object);
        parts[0].clear();
        assertThat(room.usedBytes()).isZero();
    }

    @Test
    void add_unbounded_isNotCounted() {
        Future<?> read = room.readWithin(MemoryBound.NONE, share -> {
            ResultBudget.PartialResultShare part = share.part();
            part.add(ofAbout(20_000));
            part.add(ofAbout(20_000));
            assertThat(room.usedBytes()).isZero();
            return Future.succeededFuture();
        });

        assertThat(read.succeeded()).isTrue();
    }

    /** A hundred thousand numbers are a megabyte on the disk. */
    @Test
    void size_ofManySmallFields_isThatOfTheObjectsTheyBecome() {
        BsonDocument small = new BsonDocument();
        for (int i = 0; i < 1_000; i++) {
            small.append("f" + i, new BsonInt32(i));
        }

        assertThat(HeapSize.of(small)).isBetween(60_000L, 200_000L);
        assertThat(HeapSize.of(ofAbout(50_000))).isBetween(50_000L, 51_000L);
    }

    /** 10,000 objects of 20 numbers, which a live query may have, take 30 MB. */
    @Test
    void ofHeap_anySize_hasRoomForSeveralResults() {
        assertThat(sizes(64 << 20)).containsExactly(8L << 20, 16L << 20);
        assertThat(sizes(128 << 20)).containsExactly(8L << 20, 16L << 20);
        assertThat(sizes(512 << 20)).containsExactly(32L << 20, 64L << 20);
        assertThat(sizes(8L << 30)).containsExactly(32L << 20, 1L << 30);
    }

    private static List<Long> sizes(long heap) {
        ResultBudget room = ResultBudget.ofHeap(heap);
        return List.of(room.maxResultBytes(), room.totalBytes());
    }

    private static Future<Integer> adding(ResultBudget.PartialResultShare part, int bytes) {
        return Future.succeededFuture().map(begun -> {
            part.add(ofAbout(bytes));
            return bytes;
        });
    }

    private static BsonDocument ofAbout(int bytes) {
        return new BsonDocument("text", new BsonString("x".repeat(bytes)));
    }

    private static ErrorCode code(Future<?> failed) {
        return ((ApiException) failed.cause()).code();
    }
}
