package io.orestes.store.embedded.index;

import io.orestes.model.StoredObject;

/** An index before and after the rewrite of its bucket; its number stays the same. */
public record IndexRewrite(EmbeddedIndexDefinition before, EmbeddedIndexDefinition after) {

    /** Adds the changes of the entries when one state of an object replaces another. */
    public void add(StoredObject from, StoredObject to, IndexDelta entries) {
        entries.move(before, from, after, to);
    }
}
