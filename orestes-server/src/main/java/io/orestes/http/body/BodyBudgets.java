package io.orestes.http.body;

/** The budgets that all request bodies of a server share: of memory, and of disk space. */
public record BodyBudgets(BodyBudget memory, DiskBudget disk) {}
