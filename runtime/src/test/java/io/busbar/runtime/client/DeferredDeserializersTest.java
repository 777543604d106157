package io.busbar.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeferredDeserializersTest {

    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod",
             "metadata":{"name":"p","labels":{"app":"a"},"ownerReferences":[{"kind":"PodSet","name":"s","controller":true}]},
             "spec":{"containers":[{"name":"c","image":"busybox",
               "ports":[{"containerPort":80}],
               "resources":{"limits":{"cpu":"100m","memory":"1Gi"}},
               "readinessProbe":{"httpGet":{"port":"web"},"periodSeconds":5},
               "env":null,"futureMember":{"of":["a","container"]}}],
              "volumes":[{"name":"v","emptyDir":{}},null],
              "tolerations":[]},
             "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"futureMember":1}}""";

    private final Set<Class<?>> lookedInto = new HashSet<>();
    private final KubernetesSerialization deferred = serialization(new DeferredDeserializers());

    private KubernetesSerialization serialization(SimpleModule module) {
        ObjectMapper mapper = new ObjectMapper();
        mapper.registerModule(new SimpleModule().setDeserializerModifier(new Notes()));
        mapper.registerModule(module);
        return new KubernetesSerialization(mapper, true);
    }

    /** Takes note of the classes for which Jackson makes a deserializer. */
    private final class Notes extends BeanDeserializerModifier {

        private static final long serialVersionUID = 1;

        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription bean, BeanDeserializerBuilder builder) {
            lookedInto.add(bean.getBeanClass());
            return builder;
        }
    }

    @Test
    void reads_what_Jackson_reads_without_it() {
        Pod expected = new KubernetesSerialization().unmarshal(POD, Pod.class);

        assertThat(deferred.unmarshal(POD, Pod.class)).isEqualTo(expected);
        assertThat(deferred.asJson(deferred.unmarshal(POD, Pod.class))).contains("\"futureMember\":{\"of\":[\"a\"");
    }

    @Test
    void looks_into_no_class_that_does_not_occur() {
        deferred.unmarshal(POD, Pod.class);

        assertThat(lookedInto)
                .contains(Pod.class, PodSpec.class, Container.class)
                .doesNotContain(Affinity.class)
                .hasSizeLessThan(25);

        deferred.unmarshal("{\"kind\":\"Pod\",\"spec\":{\"affinity\":{\"podAffinity\":{}}}}", Pod.class);

        assertThat(lookedInto).contains(Affinity.class);
    }

    @Test
    void says_what_does_not_fit_as_Jackson_does() {
        String wrong = "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"ports\":\"http\"}]}}";

        assertThatThrownBy(() -> deferred.unmarshal(wrong, Pod.class))
                .rootCause()
                .hasMessageContaining("ArrayList")
                .hasMessageContaining("PodSpec[\"containers\"]->java.util.ArrayList[0]");
    }
}
