package io.busbar.sandbox.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A {@code KubernetesClient}, or a {@link Kubeconfig}, of a user who is no admin: with RBAC, who may do what roles say.
 * On a sandbox the user has a token; on a cluster the admin of the kubeconfig impersonates it.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface AsUser {

    /** Such as {@code jane}, or {@code system:serviceaccount:shop:operator}. */
    String name();

    /** Beside {@code system:authenticated}. */
    String[] groups() default {};
}
