package io.orestes.http;

import io.orestes.auth.Authenticator;
import io.orestes.auth.BuiltInAccounts;
import io.orestes.auth.LoginService;
import io.orestes.auth.RequestRateLimiter;
import io.orestes.auth.SessionService;
import io.orestes.auth.UserRegistration;
import io.orestes.auth.UserTokens;

/** The thread-safe services about users and their authentication that the routes share. */
public record UserServices(
        Authenticator authenticator,
        UserRegistration accounts,
        LoginService logins,
        SessionService sessions,
        UserTokens tokens,
        BuiltInAccounts root,
        RequestRateLimiter limits) {}
