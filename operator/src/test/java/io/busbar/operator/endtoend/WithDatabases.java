package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * An {@link EndToEnd} class with a Node of its own that runs database servers: parameters of type {@link Databases} are given, too. It is
 * skipped where the machine cannot play such a Node.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EndToEnd
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.DatabaseNode#runsHere", disabledReason = DatabaseNode.NEEDS)
@interface WithDatabases {}
