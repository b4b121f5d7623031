package io.orestes.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveQueryBudgetTest {

    private final List<String> left = new ArrayList<>();
    private final LiveQueryBudget room = new LiveQueryBudget(100);

    private LiveQueryBudget.LiveQueryShare share(String name) {
        return room.share(full -> left.add(name + " " + full.code()));
    }

    @Test
    void reserve_moreThanThereIs_theLargestLeaves() {
        share("small").hold(10);
        share("large").hold(60);
        share("middle").hold(30);

        share("new").hold(40);

        assertThat(left).containsExactly("large UNAVAILABLE");
        assertThat(room.taken()).isEqualTo(80);
    }

    @Test
    void reserve_asTheLargest_isRefusedAndCountsAsBefore() {
        LiveQueryBudget.LiveQueryShare growing = share("growing");
        share("other").hold(60);
        growing.hold(30);

        ApiException refusal = catchThrowableOfType(ApiException.class, () -> growing.hold(70));

        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.retryAfter()).isPresent();
        assertThat(left).isEmpty();
        assertThat(room.taken()).isEqualTo(90);
    }

    @Test
    void reserve_alone_hasRoomHoweverLargeItIs() {
        LiveQueryBudget.LiveQueryShare alone = share("alone");

        alone.hold(1_000);

        assertThat(room.taken()).isEqualTo(1_000);
        alone.end();
        assertThat(room.taken()).isZero();
    }

    @Test
    void reserve_afterItHadToLeave_countsNothing() {
        LiveQueryBudget.LiveQueryShare gone = share("gone");
        gone.hold(90);
        share("new").hold(50);

        gone.hold(80);
        gone.end();

        assertThat(left).containsExactly("gone UNAVAILABLE");
        assertThat(room.taken()).isEqualTo(50);
    }
}
