package io.orestes.http;

import io.orestes.http.admin.AdminServices;
import io.orestes.http.body.BodyBudgets;
import io.orestes.http.caching.CachingServices;
import io.orestes.http.caller.UserServices;
import io.orestes.http.data.DataServices;
import io.orestes.socket.LiveServices;
import io.orestes.wire.ResponseBudget;

/** The thread-safe services, by subject, that the routes of all event loops share. */
public record HttpServices(
        UserServices users,
        DataServices data,
        CachingServices caching,
        AdminServices admin,
        LiveServices live,
        BodyBudgets bodies,
        ResponseBudget responses) {}
