package io.busbar.operator.mysqlcluster.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands before a server, and passes on so many bytes of its answers: the rest never comes, and no connection ends.
 *
 * <p>Any thread.
 */
final class StallingRelay implements AutoCloseable {

    private static final int BLOCK = 64 * 1024;

    private final Endpoint server;
    private final AtomicLong left;
    private final ServerSocket door;
    private final List<Socket> open = Collections.synchronizedList(new ArrayList<>());

    StallingRelay(Endpoint server, long bytes) throws IOException {
        this.server = server;
        this.left = new AtomicLong(bytes);
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    Endpoint endpoint() {
        return new Endpoint(door.getInetAddress().getHostAddress(), door.getLocalPort());
    }

    /** How many connections there have been. */
    int connections() {
        return open.size() / 2;
    }

    /** Ends those that there are as a machine does that has forgotten them. */
    void reset() throws IOException {
        for (Socket socket : List.copyOf(open)) {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // One of the sides is gone, or the test is over.
                    }
                },
                "stalling-relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            Socket behind = new Socket(server.host(), server.port());
            open.add(client);
            open.add(behind);
            start(() -> client.getInputStream().transferTo(behind.getOutputStream()));
            start(() -> answer(behind.getInputStream(), client.getOutputStream()));
        }
    }

    private void answer(InputStream from, OutputStream to) throws IOException {
        byte[] block = new byte[BLOCK];
        int length = from.read(block);
        while (length >= 0 && left.addAndGet(-length) > 0) {
            to.write(block, 0, length);
            length = from.read(block);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : List.copyOf(open)) {
            socket.close();
        }
    }
}
