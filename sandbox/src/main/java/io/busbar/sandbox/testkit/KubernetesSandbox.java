package io.busbar.sandbox.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a Kubernetes API server of its own, started before its first test and gone after its last; nested classes share it.
 *
 * <p>Constructors and methods may have parameters of these types:
 *
 * <ul>
 *   <li>{@link io.busbar.sandbox.Sandbox}: the server
 *   <li>{@code KubernetesClient} of fabric8: a client for it, the same for the whole class
 *   <li>{@code String} or {@code Path} with {@link Kubeconfig}: a kubeconfig, or the file that it is in
 *   <li>{@link io.busbar.sandbox.faults.Faults}: what can be made to go wrong
 *   <li>{@link io.busbar.sandbox.clock.ManualClock}: its time, when {@link #manualClock} is set
 * </ul>
 *
 * <p>When a test fails, the latest requests and the cluster's Events are published in JUnit's report. For a server that an annotation
 * cannot describe, or on the test's own Vertx, register a {@link SandboxExtension}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SandboxExtension.class)
public @interface KubernetesSandbox {

    /** The version of Kubernetes that it reports, such as {@code v1.36.2}; empty for the default. */
    String version() default "";

    /** How many nodes it has. */
    int nodes() default 3;

    /** Whether Pods are put on nodes and run, as far as anybody can tell. */
    boolean kubelet() default true;

    /** Whether it speaks HTTPS. */
    boolean tls() default true;

    /**
     * Whether callers may do only what roles allow them. The kubeconfig's user may do everything; others come by impersonation, or
     * with the token of a service account.
     */
    boolean rbac() default false;

    /** Whether its time stands still until a test advances it. */
    boolean manualClock() default false;
}
