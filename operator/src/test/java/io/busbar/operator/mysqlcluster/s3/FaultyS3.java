package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands before an S3 server, and does to requests what networks, and servers in trouble, do. A connection serves one
 * request.
 *
 * <p>Any thread.
 */
public final class FaultyS3 implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)");
    private static final int BLOCK = 8 * 1024;

    /** What is done to a request. */
    private interface Fault {

        /** Whether there is nothing more to be done for the request. */
        boolean isEnd(Socket client, InputStream in, Exchange exchange) throws IOException, InterruptedException;
    }

    /** How much of an exchange goes through. */
    private static final class Exchange {
        private long answerBytes = Long.MAX_VALUE;
        private long pauseMillis;
    }

    /** @param spared how many requests are let through before that */
    private record Rule(Pattern requests, AtomicInteger spared, AtomicInteger times, Fault fault) {

        boolean concerns(String request) {
            return requests.matcher(request).find()
                    && spared.getAndUpdate(FaultyS3::less) == 0
                    && times.getAndUpdate(FaultyS3::less) > 0;
        }
    }

    private final int target;
    private final ServerSocket door;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final AtomicInteger spared = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /** @param target the port of the server behind this */
    public FaultyS3(int target) throws IOException {
        this.target = target;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "faulty-s3");
        thread.setDaemon(true);
        thread.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + door.getLocalPort());
    }

    /** The first lines of all requests so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** The first lines and the headers of all requests so far. */
    List<String> heads() {
        return List.copyOf(heads);
    }

    /**
     * Answers in the server's place.
     *
     * @param request a regular expression that is found in the request's first line
     * @param times how often
     */
    public void answer(String request, int times, int status, String code) {
        String body =
                "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>as a test wants it</Message></Error>";
        add(request, times, (client, in, exchange) -> {
            in.transferTo(OutputStream.nullOutputStream());
            client.getOutputStream()
                    .write(("HTTP/1.1 " + status
                                    + " X\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(ISO_8859_1));
            return true;
        });
    }

    /** Breaks the connection in the middle of the request's body, which does not get to the server. */
    public void cutRequest(String request, int times) {
        add(request, times, (client, in, exchange) -> {
            in.readNBytes(BLOCK);
            client.setSoLinger(true, 0);
            return true;
        });
    }

    /** Lets the server do what is asked for, and breaks the connection after so many bytes of its answer. */
    public void cutAnswer(String request, int times, long bytes) {
        add(request, times, (client, in, exchange) -> {
            exchange.answerBytes = bytes;
            return false;
        });
    }

    /** Takes a break after each 8 KiB. */
    public void slow(String request, int times, long millis) {
        add(request, times, (client, in, exchange) -> {
            exchange.pauseMillis = millis;
            return false;
        });
    }

    /** The next fault spares so many requests that it would concern. */
    public FaultyS3 after(int requests) {
        spared.set(requests);
        return this;
    }

    private void add(String request, int times, Fault fault) {
        rules.add(new Rule(
                Pattern.compile(request), new AtomicInteger(spared.getAndSet(0)), new AtomicInteger(times), fault));
    }

    private static int less(int left) {
        return Math.max(0, left - 1);
    }

    /** What it did to requests, it does no more. */
    public void mend() {
        rules.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Thread thread = new Thread(() -> serve(client), "faulty-s3-request");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            String line = head.lines().findFirst().orElse("");
            requests.add(line);
            heads.add(head);
            Matcher length = LENGTH.matcher(head);
            InputStream body =
                    new Limited(client.getInputStream(), length.find() ? Long.parseLong(length.group(1)) : 0);
            Exchange exchange = new Exchange();
            for (Rule rule : rules) {
                if (rule.concerns(line) && rule.fault().isEnd(client, body, exchange)) {
                    return;
                }
            }
            pass(head, body, client, exchange);
        } catch (IOException broken) {
            // The other side sees that, too.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(String head, InputStream body, Socket client, Exchange exchange)
            throws IOException, InterruptedException {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            String once = head.replaceAll("(?i)\r\nconnection:[^\r]*", "")
                    .replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n");
            server.getOutputStream().write(once.getBytes(ISO_8859_1));
            copy(body, server.getOutputStream(), Long.MAX_VALUE, exchange.pauseMillis);
            copy(server.getInputStream(), client.getOutputStream(), exchange.answerBytes, exchange.pauseMillis);
            if (exchange.answerBytes != Long.MAX_VALUE) {
                client.setSoLinger(true, 0);
            }
        }
    }

    private static void copy(InputStream from, OutputStream to, long most, long pauseMillis)
            throws IOException, InterruptedException {
        byte[] block = new byte[BLOCK];
        long left = most;
        int length = from.read(block);
        while (length >= 0 && left > 0) {
            to.write(block, 0, (int) Math.min(left, length));
            left -= length;
            TimeUnit.MILLISECONDS.sleep(pauseMillis);
            length = from.read(block);
        }
    }

    /** Up to and with the empty line. */
    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.write(next);
            last = last << 8 | next;
            if (last == ('\r' << 24 | '\n' << 16 | '\r' << 8 | '\n')) {
                break;
            }
        }
        return head.toString(ISO_8859_1);
    }

    /** The body of a request. */
    private static final class Limited extends InputStream {

        private final InputStream in;
        private long left;

        Limited(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int got = in.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(0, got);
            return got;
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
