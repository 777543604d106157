package io.busbar.operator.endtoend;

import java.util.Comparator;
import java.util.Set;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Which classes run at the same time where all have one cluster, that of {@code -Pcluster}: those of
 * {@link EndToEnd#ANY} and, unless they say otherwise, those of {@link WithDatabases}. They come first, as one that
 * waits to be alone would hold up those behind it. Each other one runs alone, also one that has the definitions of a
 * cluster for itself. Any thread.
 */
public final class BesideOthers implements ResourceLocksProvider, ClassOrderer {

    private static final String CLUSTER = "the cluster of -Pcluster";

    private final ClassOrderer byAnnotation = new OrderAnnotation();

    @Override
    public Set<Lock> provideForClass(Class<?> type) {
        if (!RunningCluster.isGiven()) {
            return Set.of(); // each has a sandbox of its own
        }
        return Set.of(new Lock(CLUSTER, in(type) ? ResourceAccessMode.READ : ResourceAccessMode.READ_WRITE));
    }

    @Override
    public void orderClasses(ClassOrdererContext context) {
        byAnnotation.orderClasses(context);
        if (RunningCluster.isGiven()) {
            Comparator<ClassDescriptor> thoseFirst = Comparator.comparing(one -> !in(one.getTestClass()));
            context.getClassDescriptors().sort(thoseFirst);
        }
    }

    private static boolean in(Class<?> type) {
        WithDatabases databases = type.getAnnotation(WithDatabases.class);
        return databases != null
                ? !databases.alone()
                : AnnotationSupport.findAnnotation(type, EndToEnd.class)
                        .filter(one -> one.value().equals(EndToEnd.ANY))
                        .isPresent();
    }
}
