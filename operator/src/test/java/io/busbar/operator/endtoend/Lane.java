package io.busbar.operator.endtoend;

import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Which classes share a cluster, and run one after the other therefore. Those with databases, which wait much, have a sandbox of their own
 * beside the others'; a cluster that is given is one for all. Any thread.
 */
enum Lane {
    PLAIN,
    DATABASES;

    static Lane of(Class<?> testClass) {
        boolean given = !System.getProperty("busbar.cluster", "").isEmpty();
        return !given && testClass.isAnnotationPresent(WithDatabases.class) ? DATABASES : PLAIN;
    }

    /** Keeps a class waiting while another one of its lane runs. */
    static final class Lock implements ResourceLocksProvider {

        @Override
        public Set<ResourceLocksProvider.Lock> provideForClass(Class<?> testClass) {
            return Set.of(new ResourceLocksProvider.Lock(Lane.of(testClass).name(), ResourceAccessMode.READ_WRITE));
        }
    }
}
