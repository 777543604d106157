package io.busbar.operator.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Another way to an API server, on a port of its own, whose connections can all be cut at once. Any thread. */
final class CuttableRoute {

    private final NetServer server;
    private final NetClient client;
    private final URI target;
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();

    private CuttableRoute(Vertx vertx, URI target) {
        this.server = vertx.createNetServer();
        this.client = vertx.createNetClient();
        this.target = target;
    }

    static Future<CuttableRoute> to(Vertx vertx, String url) {
        CuttableRoute route = new CuttableRoute(vertx, URI.create(url));
        return route.server
                .connectHandler(route::connected)
                .listen(0, "127.0.0.1")
                .map(route);
    }

    String url() {
        return "https://127.0.0.1:" + server.actualPort();
    }

    void cut() {
        open.forEach(NetSocket::close);
    }

    private void connected(NetSocket near) {
        near.pause();
        client.connect(target.getPort(), target.getHost())
                .onFailure(unreachable -> near.close())
                .onSuccess(far -> {
                    open.add(near);
                    near.closeHandler(closed -> {
                        open.remove(near);
                        far.close();
                    });
                    far.closeHandler(closed -> near.close());
                    near.pipeTo(far);
                    far.pipeTo(near);
                    near.resume();
                });
    }
}
