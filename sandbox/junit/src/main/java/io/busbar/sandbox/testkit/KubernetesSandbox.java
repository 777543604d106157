package io.busbar.sandbox.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a Kubernetes API server of its own, started before its first test and gone after its last; nested
 * classes share it.
 *
 * <p>Constructors and methods may have parameters of these types:
 *
 * <ul>
 *   <li>{@link io.busbar.sandbox.Sandbox}: the server
 *   <li>{@code KubernetesClient} of fabric8: a client for it, the same for the whole class
 *   <li>{@code String} or {@code Path} with {@link Kubeconfig}: a kubeconfig, or the file that it is in
 *   <li>{@code String} or {@code KubernetesClient} with {@link TestNamespace}: a namespace of the test's own, or a
 * client there
 *   <li>any client or kubeconfig with {@link AsUser}: of a user whose rights are those that roles give
 *   <li>{@link io.busbar.sandbox.faults.Faults}: what can be made to go wrong
 *   <li>{@link io.busbar.sandbox.clock.ManualClock}: its time, when {@link #manualClock} is set
 * </ul>
 *
 * <p><b>On a cluster.</b> With {@link Backend#CLUSTER}, or for a whole run with the system property or parameter of
 * JUnit {@value ExistingCluster#PROPERTY} set to {@code true}, the same class runs against the cluster of {@code
 * KUBECONFIG}, or of the file that {@value ExistingCluster#KUBECONFIG} names, as its admin; that takes fabric8's
 * client. Tests with parameters that only a sandbox can give, which are the server, faults and the clock, are skipped.
 * What {@link #crds} and {@link #manifests} made there is deleted when the run ends, what was there before stays, as
 * they say it. The attributes from {@link #version} on are of no use there.
 *
 * <p>When a test fails, the latest requests and the cluster's Events are published in JUnit's report. For a server that
 * an annotation cannot describe, or on the test's own Vertx, register a {@link SandboxExtension}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SandboxExtension.class)
public @interface KubernetesSandbox {

    /**
     * CRDs that are applied before the first test, which can use them: each a resource of the class path, by a name
     * that is absolute or goes from the class's package or the root; or the path of a file; or a folder, of whose files
     * that end with {@code .yaml}, {@code .yml} and {@code .json} all are taken, such as {@code META-INF/fabric8}.
     */
    String[] crds() default {};

    /**
     * Other objects that are applied after them, in this order; those that name no namespace are in {@code default}.
     */
    String[] manifests() default {};

    /** Where the tests run. */
    Backend backend() default Backend.SANDBOX;

    /** Where tests run. */
    enum Backend {
        /** In a sandbox of the class's own, unless the run is told to use a cluster. */
        SANDBOX,
        /** On the cluster of a kubeconfig. */
        CLUSTER
    }

    /** The version of Kubernetes that it reports, such as {@code v1.36.2}; empty for the default. */
    String version() default "";

    /** How many nodes it has. */
    int nodes() default 3;

    /** Whether Pods are put on nodes and run, as far as anybody can tell. */
    boolean kubelet() default true;

    /** Whether it speaks HTTPS. */
    boolean tls() default true;

    /**
     * Whether callers may do only what roles allow them. The kubeconfig's user may do everything; others come by
     * impersonation, or with the token of a service account.
     */
    boolean rbac() default false;

    /** Whether its time stands still until a test advances it. */
    boolean manualClock() default false;
}
