package com.example.webpage.webpage;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.webpage.webpage.v1.WebPage;
import com.example.webpage.webpage.v1.WebPageSpec;
import io.busbar.testkit.memory.InMemoryContext;
import org.junit.jupiter.api.Test;

class WebPageReconcilerTest {

    private final InMemoryContext<WebPage> context = InMemoryContext.of(webPage());
    private final WebPageReconciler reconciler = new WebPageReconciler(context.clock());

    @Test
    void tells_where_the_page_is_served() throws Exception {
        context.reconcile(reconciler);

        assertThat(context.primary().getStatus().url())
                .isEqualTo("http://a." + context.key().namespace() + ".svc");
    }

    @Test
    void writes_nothing_when_nothing_has_changed() throws Exception {
        context.reconcile(reconciler);
        context.forget();

        context.reconcile(reconciler);

        assertThat(context.writes()).isEmpty();
    }

    private static WebPage webPage() {
        WebPage webPage = new WebPage();
        webPage.getMetadata().setName("a");
        webPage.setSpec(new WebPageSpec("<title>a</title>"));
        return webPage;
    }
}
