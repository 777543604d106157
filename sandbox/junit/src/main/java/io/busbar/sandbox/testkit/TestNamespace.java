package io.busbar.sandbox.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter that gets a namespace of the test's own: a {@code String} its name, a {@code KubernetesClient} one that
 * is at home there. The name begins with the test's. It is deleted after the test.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface TestNamespace {}
