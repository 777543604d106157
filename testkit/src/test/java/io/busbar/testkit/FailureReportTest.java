package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.busbar.testkit.sample.Page;
import io.busbar.testkit.sample.PageBundle;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.junit5.VertxTestContext;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class FailureReportTest {

    /** Is run by the tests below. */
    @OperatorTest(bundles = PageBundle.class)
    static class Failing {

        @Test
        void fails_when_the_operator_is_at_work(KubernetesClient client) {
            client.resource(Page.of("good", "hello", 0)).create();
            client.configMaps().withName("good").waitUntilCondition(Objects::nonNull, 60, TimeUnit.SECONDS);
            client.resources(Page.class)
                    .withName("good")
                    .waitUntilCondition(page -> page.getStatus() != null, 60, TimeUnit.SECONDS);
            client.resource(Page.of("bad", "broken", 0)).create();
            client.resources(Page.class)
                    .withName("bad")
                    .waitUntilCondition(page -> page.getStatus() != null, 1, TimeUnit.SECONDS);
        }

        @Test
        void fails_in_the_style_of_vertx(VertxTestContext test) {
            test.failNow("not as expected");
        }
    }

    @Test
    void a_failure_tells_the_reconciles_with_their_triggers_and_the_requests() {
        String report = report("fails_when_the_operator_is_at_work", KubernetesClient.class);

        assertThat(report)
                .containsPattern("reconciles in failing-[0-9a-f]{5}:\n")
                .containsPattern(
                        "page failing-[0-9a-f]{5}/good, for added Page failing-[0-9a-f]{5}/good at \\d+ → await change \\(\\d+ ms\\)")
                .containsPattern(
                        "page failing-[0-9a-f]{5}/bad, for added Page .* → failed: .*the text of bad is broken")
                .containsPattern("page failing-[0-9a-f]{5}/bad, attempt 2, for retry ")
                .containsPattern("test POST /apis/sample.example.com/v1/namespaces/failing-[0-9a-f]{5}/pages\\S* 201")
                .containsPattern("operator POST /api/v1/namespaces/failing-[0-9a-f]{5}/configmaps\\S* 201")
                .contains("Events in failing-");
    }

    @Test
    void so_does_one_of_an_asynchronous_test() {
        List<String> published =
                run("fails_in_the_style_of_vertx", VertxTestContext.class).reportingEntryPublished().stream()
                        .map(event -> event.getRequiredPayload(ReportEntry.class)
                                .getKeyValuePairs()
                                .get("operator"))
                        .toList();
        assertThat(published).singleElement().asString().containsPattern("reconciles in failing-[0-9a-f]{5}: none");
    }

    private static Events run(String method, Class<?> parameter) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Failing.class, method, parameter))
                .execute()
                .testEvents();
    }

    private static String report(String method, Class<?> parameter) {
        Throwable failure = run(method, parameter).failed().stream()
                .findFirst()
                .orElseThrow()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        return Arrays.stream(failure.getSuppressed())
                .filter(WhatHappened.class::isInstance)
                .map(Throwable::getMessage)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is told of what happened", failure));
    }
}
