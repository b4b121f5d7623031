package io.orestes.coherence;

import java.io.IOException;
import java.time.Duration;

/** Servers that run, and where clients reach them. */
interface Place {

    /** Where writers go, which may ask for what is newest there. */
    int serverPort();

    /** Where readers go. */
    int readerPort();

    /** Creates a class for the objects of {@link Group}s. */
    String newClass() throws IOException, InterruptedException;

    /** After that time a request that broke off has had its effect, if it ever has one. */
    Duration aftermath();
}
