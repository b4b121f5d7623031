package io.orestes.live.request;

import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a subscription beside its query: what it starts with, and which events it gets.
 *
 * @param initial whether the initial result is requested
 * @param selection the requested events
 * @param resumeAfter the last event that this subscriber received of the same query; null if it
 *     received none
 */
public record SubscriptionOptions(boolean initial, EventSelection selection, @Nullable EventId resumeAfter) {}
