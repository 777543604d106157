package io.busbar.operator.endtoend;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.util.Arrays;

/**
 * Clients that hold what they can of an operator: sockets that say nothing, and reviews that stall. What the operator
 * closes comes again, some in each second: each new TLS connection costs it, and them, more than all that is held. A
 * process of its own, so that what they take is not taken from who measures.
 *
 * <p>One context.
 */
final class Besiegers {

    private static final int MIB = 1024 * 1024;
    private static final int TICK_MILLIS = 100;
    private static final int REVIEWS_PER_TICK = 5;
    private static final int SOCKETS_PER_TICK = 20;
    private static final Buffer PIECE = Buffer.buffer("x".repeat(64 * 1024));

    private final Vertx vertx;
    private final NetClient tls;
    private final NetClient plain;
    private final int port;
    private int reviewsOpened;
    private int reviewsOpen;
    private int socketsOpened;
    private int socketsOpen;
    private boolean isRenewing = true;

    private Besiegers(Vertx vertx, int port) {
        this.vertx = vertx;
        this.port = port;
        this.plain = vertx.createNetClient(new NetClientOptions().setConnectTimeout(60_000));
        this.tls = vertx.createNetClient(new NetClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm("")
                .setConnectTimeout(60_000));
    }

    /**
     * Runs until the end of standard input, and says in each second what is open. After the first byte of input what
     * the operator closes does not come again.
     *
     * @param args how many reviews, how many sockets on each port, and the ports, that of the webhooks first
     */
    public static void main(String[] args) throws IOException {
        int reviews = Integer.parseInt(args[0]);
        int sockets = Integer.parseInt(args[1]);
        int[] ports = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        Besiegers besiegers = new Besiegers(vertx, ports[0]);
        vertx.runOnContext(go -> besiegers.begin(reviews, sockets, ports));
        while (System.in.read() >= 0) {
            vertx.runOnContext(stay -> besiegers.isRenewing = false);
        }
        System.exit(0);
    }

    /** With reviews at a pace, or the handshakes would be all that they do; sockets that say nothing cost little. */
    private void begin(int reviews, int sockets, int[] ports) {
        for (int toPort : ports) {
            for (int i = 0; i < sockets; i++) {
                sayNothing(toPort);
            }
        }
        vertx.setPeriodic(TICK_MILLIS, tick -> {
            if (!isRenewing) {
                return;
            }
            for (int i = 0; i < REVIEWS_PER_TICK && reviewsOpen < reviews; i++) {
                stall(i % 2 == 0);
            }
            for (int i = 0; i < SOCKETS_PER_TICK && socketsOpen < sockets * ports.length; i++) {
                sayNothing(ports[i % ports.length]);
            }
        });
        vertx.setPeriodic(
                1_000,
                second -> System.out.println("reviews: " + reviewsOpened + " opened, " + reviewsOpen
                        + " open; silent sockets: " + socketsOpened + " opened, " + socketsOpen + " open"));
    }

    private void sayNothing(int toPort) {
        socketsOpen++;
        socketsOpened++;
        plain.connect(toPort, "127.0.0.1").onFailure(refused -> socketsOpen--).onSuccess(socket -> {
            socket.exceptionHandler(reset -> {});
            socket.closeHandler(closed -> socketsOpen--);
        });
    }

    /**
     * @param tooLarge announces 8 MiB, more than a review may have; else 6 MiB, of which it sends 4
     */
    private void stall(boolean tooLarge) {
        reviewsOpen++;
        reviewsOpened++;
        tls.connect(port, "127.0.0.1").onFailure(refused -> reviewsOpen--).onSuccess(socket -> {
            socket.exceptionHandler(reset -> {});
            socket.handler(unread -> {});
            socket.closeHandler(closed -> reviewsOpen--);
            socket.write("POST /mutate-pod?timeout=100h HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + (tooLarge ? 8 : 6) * MIB
                    + "\r\n\r\n{\"kind\":\"AdmissionReview\",\"x\":\"");
            send(socket, (tooLarge ? 1 : 4) * MIB);
        });
    }

    private static void send(NetSocket socket, int left) {
        if (left > 0) {
            socket.write(PIECE.copy()).onSuccess(sent -> send(socket, left - PIECE.length()));
        }
    }
}
