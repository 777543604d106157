package io.busbar.operator.endtoend;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.operator.mysqlcluster.bed.Product;
import java.time.Instant;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Whether a class of {@link WithDatabases} can run, and is to. Any thread. */
final class DatabasesCondition implements ExecutionCondition {

    /**
     * With the value {@value #ALL}, every case runs on every product that there is; with the name of a product, each runs
     * on one: on that, where there is the case for it.
     */
    static final String PROPERTY = "busbar.databases";

    static final String ALL = "all";

    /** Until when a case is begun at all, in seconds since 1970: a run that has to end in time leaves out the rest. */
    static final String UNTIL = "busbar.databases.until";

    private static volatile boolean isLate;

    /** Whether all that is asked for can run here, and nothing was left out by {@value #UNTIL} so far. */
    static boolean hasLeftNoneOut() {
        return DatabaseNode.runsHere() && !isLate;
    }

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
        String asked = System.getProperty(PROPERTY, "");
        Class<?> cases = context.getRequiredTestClass();
        boolean isOther = (asked.equalsIgnoreCase(Product.MARIADB.name()) && isOnMySql(cases))
                || (asked.equalsIgnoreCase(Product.MYSQL.name()) && Product.MYSQL.installed() && isAlsoOnMySql(cases));
        if (isOther) {
            return disabled("it runs on the other product: asked for by -D" + PROPERTY + "=" + asked);
        }
        if (wanted.atLength() && asked.isEmpty()) {
            return disabled("a second product: asked for by -D" + PROPERTY + "=" + ALL);
        }
        if (Instant.now().getEpochSecond() > Long.getLong(UNTIL, Long.MAX_VALUE)) {
            isLate = true;
            return disabled("too late for -D" + UNTIL);
        }
        return enabled(product.name());
    }

    /** Whether the cases of a class are those of another one that runs them on MariaDB. */
    private static boolean isOnMySql(Class<?> cases) {
        return cases.getSimpleName().equals(onMySql(cases.getSuperclass().getSimpleName()));
    }

    /** Whether there is another class that runs the cases of this one on MySQL. */
    private static boolean isAlsoOnMySql(Class<?> cases) {
        try {
            return isOnMySql(Class.forName(onMySql(cases.getName())));
        } catch (ClassNotFoundException none) {
            return false;
        }
    }

    private static String onMySql(String name) {
        return name.replaceFirst("IT$", "OnMySqlIT");
    }
}
