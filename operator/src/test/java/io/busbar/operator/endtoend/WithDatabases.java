package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An {@link EndToEnd} class with a Node of its own that runs database servers of one product: parameters of type
 * {@link Databases} are given, too. It is skipped where the machine cannot play such a Node, or does not have the
 * product.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DatabasesCondition.class)
@EndToEnd("mysqlcluster")
@interface WithDatabases {

    /** What the servers are of. */
    Product value() default Product.MARIADB;

    /** Whether it runs only where all is asked for, by the property {@value DatabasesCondition#PROPERTY}. */
    boolean atLength() default false;

    /**
     * Whether no other class may run on the same cluster meanwhile: if it stops the operator, or changes what has no
     * namespace.
     */
    boolean alone() default false;
}
