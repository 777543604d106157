package io.busbar.testkit;

import io.busbar.runtime.bundle.Bundle;
import io.busbar.sandbox.testkit.ExistingCluster;
import io.busbar.sandbox.testkit.TestNamespace;
import io.vertx.junit5.VertxExtension;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs an operator in this JVM for a test class, on a Kubernetes API server that runs here too, or on a cluster.
 *
 * <pre>{@code
 * @OperatorTest(bundles = ShopBundle.class)
 * class ShopTest {
 *
 *     @Test
 *     void a_shop_gets_a_deployment(KubernetesClient client) {
 *         client.resource(shop("corner")).create();
 *         client.apps().deployments().withName("corner").waitUntilCondition(Objects::nonNull, 10, SECONDS);
 *     }
 *
 *     @Test
 *     void a_pod_whose_creation_is_not_answered_is_made_once(KubernetesClient client, Faults faults) {
 *         faults.inject(Fault.on("create", "pods").answerLost());
 *         …
 *     }
 *
 *     @Test
 *     void the_status_follows(KubernetesClient client, Vertx vertx, VertxTestContext test) {
 *         …                                                 // in the style of vertx-junit5
 *     }
 * }
 * }</pre>
 *
 * <p>A class has a server and an operator of its own, whose kinds are installed; nested classes share them. Each test
 * has a namespace of its own. Classes may run in parallel, and so may methods that inject no faults and move no clock.
 * Constructors and methods may have parameters of these types:
 *
 * <ul>
 *   <li>{@code KubernetesClient}: of the cluster's admin, for which the test's namespace is the default
 *   <li>{@code String} with {@link TestNamespace}: the name of that
 *   <li>{@link io.busbar.sandbox.faults.Faults}: what can be made to go wrong, until the test ends; see below
 *   <li>{@link io.busbar.sandbox.clock.ManualClock}: the cluster's time, when {@link #manualClock} is set
 *   <li>{@link RunningOperator}: the operator, to be stopped and started again
 *   <li>{@link io.busbar.sandbox.Sandbox}: the server
 *   <li>{@code Vertx} and {@code VertxTestContext}: those of vertx-junit5, whose extension need not be named
 * </ul>
 *
 * <p>Each fault takes one line:
 *
 * <pre>{@code
 * faults.inject(Fault.conflict("patch", "shops.example.com/status"));            // somebody else was first
 * faults.inject(Fault.on("create", "pods").refused(500).times(3));              // or 404, 403, 429 with retryAfter(…), …
 * faults.inject(Fault.on("create", "pods").answerLost());                       // carried out; nobody gets to know
 * faults.inject(Fault.on("*", "*").answeredAfter(ofSeconds(2)).untilRemoved()); // slow answers
 * faults.inject(Lag.ofWatches("pods")).join();                                  // watches see nothing new, until released
 * faults.inject(Lag.ofCachedReads("pods").by(ofMinutes(1))).join();             // stale lists
 * faults.inject(Fault.ofWebhook("mshop.example.com").unreachable());            // or refused(503), delayed(…)
 * faults.dropWatches().join();                                                  // expire(), stop(), start(), …
 * }</pre>
 *
 * <p>When a test fails, its failure tells what happened in its namespace, as something suppressed: which primaries were
 * reconciled, what had made that necessary and how it ended; the requests of the operator and of the test; the Events.
 *
 * <p><b>On a cluster.</b> With the system property, or parameter of JUnit, {@value ExistingCluster#PROPERTY} set to
 * {@code true}, the same classes run against the cluster of {@code KUBECONFIG}, or of the file that {@value
 * ExistingCluster#KUBECONFIG} names; the operator runs here all the same, one for all classes with the same bundles and
 * flags. Its kinds are installed and stay. Tests with parameters that only a sandbox can give are skipped. Webhooks are
 * registered under an address of this machine, and taken away in the end: the API server must run on it, too.
 *
 * <p>For a bundle that needs more than its constructor without parameters, register an {@link OperatorExtension}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({OperatorExtension.class, VertxExtension.class})
public @interface OperatorTest {

    /** What runs in the operator, which is called as the first of them. Each has a constructor without parameters. */
    Class<? extends Bundle>[] bundles();

    /** Flags of the bundles, such as {@code --shop-image=nginx}. */
    String[] flags() default {};

    /** The version of Kubernetes that the sandbox reports, such as {@code v1.36.2}; empty for the default. */
    String version() default "";

    /** How many nodes the sandbox has. */
    int nodes() default 3;

    /** Whether Pods are put on nodes and run, as far as anybody can tell. */
    boolean kubelet() default true;

    /** Whether Deployments, Jobs, Services and their like are brought to their state. */
    boolean controllers() default true;

    /** Whether the cluster's time stands still until a test advances it. */
    boolean manualClock() default false;
}
