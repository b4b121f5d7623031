package io.orestes.http.data;

import io.orestes.read.object.BucketScanner;
import io.orestes.read.object.ObjectReader;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryReader;

/** The thread-safe readers of objects, query results and aggregates that the routes share. */
public record ReadServices(
        ObjectReader objects,
        QueryReader queries,
        ReferenceExpander deep,
        ParameterizedQueryRepository prepared,
        AggregateReader aggregates,
        BucketScanner buckets) {}
