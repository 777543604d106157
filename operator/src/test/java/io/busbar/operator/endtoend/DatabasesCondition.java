package io.busbar.operator.endtoend;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Whether a class of {@link WithDatabases} can run, and is to. Any thread. */
final class DatabasesCondition implements ExecutionCondition {

    /** With the value {@value #ALL}, every case runs on every product that there is. */
    static final String PROPERTY = "busbar.databases";

    static final String ALL = "all";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        WithDatabases wanted = context.getTestClass()
                .map(type -> type.getAnnotation(WithDatabases.class))
                .orElse(null);
        if (wanted == null) {
            return enabled("needs no databases");
        }
        Product product = wanted.value();
        if (!product.installed()) {
            return disabled(product.lacking());
        }
        if (!DatabaseNode.hasContainers()) {
            return disabled(DatabaseNode.NEEDS);
        }
        return wanted.atLength() && !ALL.equals(System.getProperty(PROPERTY))
                ? disabled("a second product: asked for by -D" + PROPERTY + "=" + ALL)
                : enabled(product.name());
    }
}
