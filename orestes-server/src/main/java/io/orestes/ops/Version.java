package io.orestes.ops;

import java.util.Optional;

/** The versions of the server and of its HTTP interface. */
public final class Version {

    /** The version of the jar, {@code dev} when run from class files. */
    public static final String SERVER = Optional.ofNullable(
                    Version.class.getPackage().getImplementationVersion())
            .orElse("dev");

    /** The version of the HTTP interface, the first segment of every path. */
    public static final String API = "v1";

    private Version() {}
}
