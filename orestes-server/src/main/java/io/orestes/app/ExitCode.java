package io.orestes.app;

/**
 * The exit statuses of the process, which {@code docs/guide/operations.md} lists. Status 3 is the
 * JVM's own, for running out of memory.
 */
enum ExitCode {
    OK(0),
    FAILED(1),
    BAD_CONFIGURATION(2),
    DATA_DAMAGED(4),
    ADDRESS_IN_USE(5),
    DATA_IN_USE(6),
    STORE_UNUSABLE(7),
    GROUP_UNUSABLE(8);

    private final int status;

    ExitCode(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }
}
