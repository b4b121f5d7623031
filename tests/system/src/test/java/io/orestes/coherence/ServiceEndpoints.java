package io.orestes.coherence;

import java.io.IOException;
import java.time.Duration;

/** Running servers and their addresses for clients. */
interface ServiceEndpoints {

    /** Returns the port of writers, which may read the newest state there. */
    int serverPort();

    /** Returns the port of readers. */
    int readerPort();

    /** Creates a class for the objects of {@link Group}s. */
    String newClass() throws IOException, InterruptedException;

    /**
     * Returns the time after which an interrupted request has had its effect, if it ever has one.
     */
    Duration aftermath();
}
