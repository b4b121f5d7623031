package io.orestes.app;

/** What the process's exit status says; listed in the README. */
enum ExitCode {
    OK(0),
    FAILED(1),
    BAD_CONFIGURATION(2),
    DATA_IN_USE(3),
    DATA_DAMAGED(4),
    ADDRESS_IN_USE(5);

    private final int status;

    ExitCode(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }
}
