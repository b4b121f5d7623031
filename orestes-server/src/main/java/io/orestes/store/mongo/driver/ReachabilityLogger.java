package io.orestes.store.mongo.driver;

import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster listener that logs when the MongoDB server becomes unreachable and reachable again.
 * Called by threads of the driver, one at a time.
 */
final class ReachabilityLogger implements ClusterListener {

    private static final Logger LOG = LoggerFactory.getLogger(ReachabilityLogger.class);

    private final String place;

    ReachabilityLogger(String place) {
        this.place = place;
    }

    @Override
    public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
        boolean was = event.getPreviousDescription().hasWritableServer();
        boolean is = event.getNewDescription().hasWritableServer();
        if (was && !is) {
            LOG.warn("{} takes no writes at the moment", place);
        } else if (is && !was) {
            LOG.info("{} takes writes", place);
        }
    }
}
