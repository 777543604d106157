package io.busbar.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.junit.jupiter.api.Test;

class RecordResourceTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    record WidgetSpec(int size) {}

    record WidgetStatus(int ready) {}

    @Group("example.com")
    @Version("v1")
    static final class Widget extends RecordResource<Widget, WidgetSpec, WidgetStatus> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    private final Widget widget = SERIALIZATION.unmarshal("""
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: a, namespace: ns, generation: 3, labels: {app: a}}
            spec: {size: 2}
            status: {ready: 1}
            """, Widget.class);

    @Test
    void a_copy_with_another_status_differs_in_nothing_else() {
        Widget copy = widget.with(new WidgetStatus(2));

        assertThat(copy.getStatus()).isEqualTo(new WidgetStatus(2));
        assertThat(widget.getStatus()).isEqualTo(new WidgetStatus(1));
        assertThat(copy.with(new WidgetStatus(1))).isEqualTo(widget);
        assertThat(SERIALIZATION.asJson(copy.with(new WidgetStatus(1)))).isEqualTo(SERIALIZATION.asJson(widget));
    }

    @Test
    void a_copy_with_another_spec_differs_in_nothing_else() {
        Widget copy = widget.withSpec(new WidgetSpec(5));

        assertThat(copy.getSpec()).isEqualTo(new WidgetSpec(5));
        assertThat(widget.getSpec()).isEqualTo(new WidgetSpec(2));
        assertThat(copy.withSpec(new WidgetSpec(2))).isEqualTo(widget);
    }

    @Test
    void what_has_no_spec_has_none_in_a_copy() {
        Widget copy = new Widget().with(new WidgetStatus(0));

        assertThat(copy.getSpec()).isNull();
        assertThat(copy.getKind()).isEqualTo("Widget");
        assertThat(copy.getApiVersion()).isEqualTo("example.com/v1");
    }
}
