package io.orestes.live;

import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;

/**
 * One execution of a live query that is shared by all subscribers that join meanwhile.
 *
 * @param since events before the execution began; those after it make the result current for whoever takes it later
 * @param result completes on the context of whoever asked first
 */
record SharedExecution(long since, Future<List<StoredObject>> result) {}
