package io.orestes.live.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteOperation;
import io.orestes.model.ApiException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EventSelectionTest {

    @Test
    void includes_nothingRestricted_isEverything() {
        EventSelection selection = EventSelection.of(List.of(), List.of());

        assertThat(selection.includes(MatchType.REMOVE, WriteOperation.DELETE)).isTrue();
        assertThat(selection.name(MatchType.ADD)).isEqualTo("add");
    }

    @Test
    void includes_matchTypes_areFiltered() {
        EventSelection selection = EventSelection.of(List.of("add", "remove"), List.of());

        assertThat(selection.includes(MatchType.ADD, WriteOperation.UPDATE)).isTrue();
        assertThat(selection.includes(MatchType.CHANGE, WriteOperation.UPDATE)).isFalse();
    }

    @Test
    void name_match_standsForAddAndChange() {
        EventSelection selection = EventSelection.of(List.of("match", "remove"), List.of());

        assertThat(selection.includes(MatchType.CHANGE, WriteOperation.UPDATE)).isTrue();
        assertThat(selection.name(MatchType.CHANGE)).isEqualTo("match");
        assertThat(selection.name(MatchType.REMOVE)).isEqualTo("remove");
    }

    @Test
    void includes_operations_areFiltered() {
        EventSelection selection = EventSelection.of(List.of("all"), List.of("insert"));

        assertThat(selection.includes(MatchType.ADD, WriteOperation.INSERT)).isTrue();
        assertThat(selection.includes(MatchType.ADD, WriteOperation.UPDATE)).isFalse();
    }

    @Test
    void of_unknownOrDoublyRestricted_isRefused() {
        assertThatThrownBy(() -> EventSelection.of(List.of("vanish"), List.of()))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> EventSelection.of(List.of(), List.of("upsert")))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> EventSelection.of(List.of("add"), List.of("insert")))
                .isInstanceOf(ApiException.class);
    }
}
