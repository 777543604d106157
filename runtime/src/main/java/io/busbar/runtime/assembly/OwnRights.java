package io.busbar.runtime.assembly;

import io.busbar.common.bus.Addresses;
import io.busbar.common.traffic.RequestGate;
import io.busbar.reconciler.work.Controllers.Home;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.client.ApiClients;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * What a bundle watches and writes with that has the rights of an account of its own, see
 * {@link io.busbar.runtime.bundle.Bundle#account}. As with the operator's own client, a replica that stands by reads, and
 * does not write.
 *
 * <p>Any thread.
 *
 * @param home for what its controllers write
 */
record OwnRights(Vertx vertx, KubernetesClient reader, Home home, Watches watches) {

    /** @param name of the bundle */
    static OwnRights of(
            OperatorEnvironment environment, Leadership leadership, Addresses addresses, String name, Account account) {
        KubernetesClient reader = ApiClients.measured(
                account.impersonated(environment.client().getConfiguration()),
                environment.meters(),
                environment.tracing(),
                RequestGate.of(environment.client().getHttpClient()),
                environment.interceptors());
        Home home = new Home(leadership.writer(reader), addresses.ofGuest(name));
        return new OwnRights(
                environment.vertx(),
                reader,
                home,
                new Watches(
                        environment.vertx(), reader, environment.meters(), environment.tracing(), home.addresses()));
    }

    /** Once no controller works any more. */
    Future<Void> close() {
        return watches.close()
                .eventually(() -> vertx.executeBlocking(
                        () -> {
                            home.client().close();
                            reader.close();
                            return null;
                        },
                        false));
    }
}
