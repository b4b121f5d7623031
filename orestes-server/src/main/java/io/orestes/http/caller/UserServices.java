package io.orestes.http.caller;

import io.orestes.auth.account.BuiltInAccounts;
import io.orestes.auth.account.LoginService;
import io.orestes.auth.account.SessionRenewalService;
import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.token.ApiTokens;
import io.orestes.auth.token.Authenticator;

/** The thread-safe services about users and their authentication that the routes share. */
public record UserServices(
        Authenticator authenticator,
        UserRegistration accounts,
        LoginService logins,
        SessionRenewalService sessions,
        ApiTokens tokens,
        BuiltInAccounts root,
        RequestRateLimiter limits) {

    /** Returns the authenticator of requests whose clients have these addresses. */
    public RequestAuthenticator authenticator(ClientAddressResolver addresses) {
        return new RequestAuthenticator(authenticator, sessions, limits, addresses);
    }
}
