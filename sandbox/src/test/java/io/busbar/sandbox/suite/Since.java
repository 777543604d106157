package io.busbar.sandbox.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A case of what older releases of Kubernetes do not have: it is left out on a server of such a one. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Since.Condition.class)
@interface Since {

    /** Such as {@code 1.25}. */
    String value();

    /** What came with that release. */
    String why();

    /** Compares with what the server under test says it is. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), Since.class)
                    .map(since -> Server.version() >= minor(since.value())
                            ? ConditionEvaluationResult.enabled("the server has it")
                            : ConditionEvaluationResult.disabled(since.why() + " came with " + since.value()
                                    + ", the server is 1." + Server.version()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("every release has it"));
        }

        private static int minor(String version) {
            return Integer.parseInt(version.substring(version.indexOf('.') + 1));
        }
    }
}
