package io.orestes.http;

import io.orestes.auth.Accounts;
import io.orestes.auth.Authenticator;
import io.orestes.auth.LoginService;
import io.orestes.auth.RequestLimits;
import io.orestes.auth.RootAccount;
import io.orestes.auth.Sessions;
import io.orestes.auth.UserTokens;

/** What the routes share about who is calling. All of it is thread-safe. */
public record UserServices(
        Authenticator authenticator,
        Accounts accounts,
        LoginService logins,
        Sessions sessions,
        UserTokens tokens,
        RootAccount root,
        RequestLimits limits) {}
