package io.busbar.operator.endtoend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs a class against a cluster with the operator on it: parameters of type {@link Cluster} are given.
 *
 * <p>The cluster is a sandbox, or that of KUBECONFIG under {@code -Pcluster}. Classes that run one after the other may
 * have the same.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
@ResourceLock(providers = BesideOthers.class)
@interface EndToEnd {

    /**
     * The one of the bundled operators that runs, with its permissions alone; empty for all, with the permissions of
     * all; or {@link #ANY}.
     */
    String value() default "";

    /**
     * For a class to which it is all the same which operator runs, and which leaves that one and the objects of others
     * as they are.
     */
    String ANY = "any";

    /** The {@code @Order} of classes that take longest: begun first, they do not end alone. */
    int LONG = 0;
}
