package io.orestes.live;

import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;

/**
 * One execution of a live query that is shared by all subscribers that join meanwhile.
 *
 * @param afterSequence number of events before the execution began; later events update the result
 *     for later subscribers
 * @param result completes on the context of the first subscriber
 */
record SharedQueryExecution(long afterSequence, Future<List<StoredObject>> result) {}
