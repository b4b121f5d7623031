package io.orestes.live.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveQueryMemoryBudgetTest {

    private final List<String> left = new ArrayList<>();
    private final LiveQueryMemoryBudget room = new LiveQueryMemoryBudget(100);

    private LiveQueryMemoryBudget.LiveQueryShare share(String name) {
        return room.share(full -> left.add(name + " " + full.code()));
    }

    @Test
    void reserve_moreThanThereIs_theLargestLeaves() {
        share("small").reserve(10);
        share("large").reserve(60);
        share("middle").reserve(30);

        share("new").reserve(40);

        assertThat(left).containsExactly("large UNAVAILABLE");
        assertThat(room.usedBytes()).isEqualTo(80);
    }

    @Test
    void reserve_asTheLargest_isRefusedAndCountsAsBefore() {
        LiveQueryMemoryBudget.LiveQueryShare growing = share("growing");
        share("other").reserve(60);
        growing.reserve(30);

        ApiException refusal = catchThrowableOfType(ApiException.class, () -> growing.reserve(70));

        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.retryAfter()).isPresent();
        assertThat(left).isEmpty();
        assertThat(room.usedBytes()).isEqualTo(90);
    }

    @Test
    void reserve_alone_hasRoomHoweverLargeItIs() {
        LiveQueryMemoryBudget.LiveQueryShare alone = share("alone");

        alone.reserve(1_000);

        assertThat(room.usedBytes()).isEqualTo(1_000);
        alone.end();
        assertThat(room.usedBytes()).isZero();
    }

    @Test
    void reserve_afterItHadToLeave_countsNothing() {
        LiveQueryMemoryBudget.LiveQueryShare gone = share("gone");
        gone.reserve(90);
        share("new").reserve(50);

        gone.reserve(80);
        gone.end();

        assertThat(left).containsExactly("gone UNAVAILABLE");
        assertThat(room.usedBytes()).isEqualTo(50);
    }
}
