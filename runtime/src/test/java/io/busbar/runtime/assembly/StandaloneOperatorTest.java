package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StandaloneOperatorTest {

    @Test
    void leaves_nothing_running_where_a_bundle_is_declared_wrongly() {
        AtomicReference<Vertx> vertx = new AtomicReference<>();
        Bundle wrong = new Bundle() {
            @Override
            public String name() {
                return "wrong";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                vertx.set(context.vertx());
                throw new IllegalArgumentException("declared wrongly");
            }
        };
        Config nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();

        assertThatThrownBy(() -> new StandaloneOperator(
                        OperatorDefinition.of(wrong), nowhere, OperatorOptions.besideCluster("wrong")))
                .hasMessage("declared wrongly");
        assertThat(vertx.get()).isNotNull();
        await().atMost(Duration.ofMinutes(1)).until(((VertxInternal) vertx.get()).nettyEventLoopGroup()::isShutdown);
    }
}
