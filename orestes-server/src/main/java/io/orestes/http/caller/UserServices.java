package io.orestes.http.caller;

import io.orestes.auth.account.BuiltInAccounts;
import io.orestes.auth.account.LoginService;
import io.orestes.auth.account.SessionService;
import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.UserTokens;

/** The thread-safe services about users and their authentication that the routes share. */
public record UserServices(
        Authenticator authenticator,
        UserRegistration accounts,
        LoginService logins,
        SessionService sessions,
        UserTokens tokens,
        BuiltInAccounts root,
        RequestRateLimiter limits) {

    /** Returns the authenticator of requests whose clients have these addresses. */
    public RequestAuthenticator authenticator(ClientAddressResolver addresses) {
        return new RequestAuthenticator(authenticator, sessions, limits, addresses);
    }
}
