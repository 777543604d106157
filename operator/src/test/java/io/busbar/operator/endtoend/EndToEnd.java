package io.busbar.operator.endtoend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs a class against a cluster with the operator on it: parameters of type {@link Cluster} are given.
 *
 * <p>The cluster is the sandbox, or that of KUBECONFIG under {@code -Pcluster}. All classes of a {@link Lane} share it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = Lane.Lock.class)
@interface EndToEnd {}
