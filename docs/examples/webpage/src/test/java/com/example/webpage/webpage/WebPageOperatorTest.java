package com.example.webpage.webpage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.webpage.WebpageBundle;
import com.example.webpage.webpage.v1.WebPage;
import com.example.webpage.webpage.v1.WebPageSpec;
import io.busbar.common.condition.Conditions;
import io.busbar.testkit.OperatorTest;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The whole operator, on a Kubernetes API server in this process. */
@OperatorTest(bundles = WebpageBundle.class)
class WebPageOperatorTest {

    @Test
    void a_page_is_served_and_another_one_rolls_its_servers(KubernetesClient client) {
        client.resource(page("<title>one</title>")).create();
        WebPage served = awaitServed(client, 1);
        String revision = revision(client);

        assertThat(served.getStatus().url()).startsWith("http://a.");
        assertThat(client.configMaps().withName("a").get().getData()).containsEntry("index.html", "<title>one</title>");
        assertThat(client.services().withName("a").get()).isNotNull();

        client.resources(WebPage.class).withName("a").edit(page -> {
            page.setSpec(new WebPageSpec("<title>two</title>"));
            return page;
        });
        awaitServed(client, 2);
        assertThat(revision(client)).isNotEqualTo(revision);
    }

    @Test
    void a_page_without_a_title_is_refused(KubernetesClient client) {
        assertThatThrownBy(() -> client.resource(page("<body></body>")).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.html")
                .hasMessageContaining("must have a <title>");
    }

    private static WebPage page(String html) {
        WebPage webPage = new WebPage();
        webPage.getMetadata().setName("a");
        webPage.setSpec(new WebPageSpec(html));
        return webPage;
    }

    private static WebPage awaitServed(KubernetesClient client, long generation) {
        return client.resources(WebPage.class)
                .withName("a")
                .waitUntilCondition(
                        page -> page != null
                                && page.getStatus() != null
                                && page.getStatus().observedGeneration() == generation
                                && Conditions.isTrue(page.getStatus().conditions(), Conditions.AVAILABLE),
                        30,
                        TimeUnit.SECONDS);
    }

    private static String revision(KubernetesClient client) {
        Deployment deployment = client.apps().deployments().withName("a").get();
        return deployment.getSpec().getTemplate().getMetadata().getAnnotations().get("web.example.com/revision");
    }
}
