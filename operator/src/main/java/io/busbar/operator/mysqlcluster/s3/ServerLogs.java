package io.busbar.operator.mysqlcluster.s3;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.common.internal.certificate.TrustManagers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The binary logs of a server of MySQL, which it sends as to a replica: MySQL's own images have no {@code mysqlbinlog}.
 *
 * <p>Immutable. What cannot be had is an {@link S3Failure} that names no secret.
 */
final class ServerLogs {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** For a server that is silent in the middle of a file. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final int BUFFER_BYTES = 1 << 20;

    /** Silent: this class reports failures itself. A field, since the JDK forgets the level of a logger nobody keeps. */
    private static final Logger CLIENT_LOG = Logger.getLogger(BinaryLogClient.class.getName());

    static {
        CLIENT_LOG.setLevel(Level.OFF);
    }

    private final Endpoint server;
    private final String user;
    private final String password;
    private final @Nullable Path authorities;

    private ServerLogs(Endpoint server, String user, String password, @Nullable Path authorities) {
        this.server = server;
        this.user = user;
        this.password = password;
        this.authorities = authorities;
    }

    /** @param variables those that the script {@code archive.sh} has, too */
    static ServerLogs of(Map<String, String> variables) {
        String authorities = variables.getOrDefault("SOURCE_TLS", "");
        Endpoint server = new Endpoint(
                variables.getOrDefault("SOURCE_HOST", ""),
                Integer.parseInt(variables.getOrDefault("SOURCE_PORT", "3306")),
                !authorities.isEmpty());
        boolean mayBeAdministered = variables.containsKey("ADMINISTRATION_PORT");
        return new ServerLogs(
                mayBeAdministered && accepts(server.forAdministration()) ? server.forAdministration() : server,
                variables.getOrDefault("OPERATOR", ""),
                variables.getOrDefault("MYSQL_PWD", ""),
                authorities.isEmpty() ? null : Path.of(authorities));
    }

    /** As {@code dump.sh} looks, too. */
    private static boolean accepts(Endpoint server) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), (int) CONNECT.toMillis());
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /**
     * The bytes of one that is not written to any more.
     *
     * @param file its name
     */
    InputStream open(String file) {
        try {
            Download download = new Download(file);
            Thread thread = new Thread(download, "binary-log");
            thread.setDaemon(true);
            thread.start();
            return download;
        } catch (IOException impossible) {
            throw new S3Failure(file + " cannot be fetched: " + impossible.getMessage());
        }
    }

    private BinaryLogClient client(Download download) throws IOException, GeneralSecurityException {
        BinaryLogClient client = new BinaryLogClient(server.host(), server.port(), user, password);
        client.setBinlogFilename(download.file);
        client.setBinlogPosition(EventHeader.magic().length);
        client.setBlocking(false);
        client.setKeepAlive(false);
        client.setConnectTimeout(CONNECT.toMillis());
        client.setSocketFactory(() -> {
            Socket socket = new Socket();
            socket.setSoTimeout((int) SILENCE.toMillis());
            return socket;
        });
        client.setSSLMode(SSLMode.DISABLED);
        if (authorities != null) {
            SSLSocketFactory sockets = sockets(authorities);
            client.setSSLMode(SSLMode.VERIFY_CA);
            client.setSslSocketFactory(socket -> encrypted(sockets, socket));
        }
        return client;
    }

    private static SSLSocketFactory sockets(Path authorities) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManager trusted = TrustManagers.of(Pem.certificates(Files.readString(authorities)));
        context.init(null, new TrustManager[] {trusted}, null);
        return context.getSocketFactory();
    }

    /** Verifies the server's name where it is reached by one. */
    private SSLSocket encrypted(SSLSocketFactory sockets, Socket plain) throws SocketException {
        try {
            SSLSocket socket = (SSLSocket) sockets.createSocket(plain, server.host(), server.port(), true);
            if (server.isNamed()) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
            }
            return socket;
        } catch (IOException failure) {
            throw (SocketException) new SocketException(failure.getMessage()).initCause(failure);
        }
    }

    /**
     * What comes of one file: a thread of its own writes what another one reads. It is whole when the server has gone on
     * to the next file.
     */
    private final class Download extends PipedInputStream implements Runnable {

        private final String file;
        private final PipedOutputStream received;
        private volatile boolean isWhole;
        private volatile @Nullable Exception failure;

        Download(String file) throws IOException {
            super(BUFFER_BYTES);
            this.file = file;
            this.received = new PipedOutputStream(this);
        }

        @Override
        public void run() {
            try (received) {
                BinaryLogClient client = client(this);
                client.registerLifecycleListener(new BinaryLogClient.AbstractLifecycleListener() {
                    @Override
                    public void onCommunicationFailure(BinaryLogClient of, Exception why) {
                        failure = why;
                    }

                    @Override
                    public void onEventDeserializationFailure(BinaryLogClient of, Exception why) {
                        failure = why;
                    }
                });
                received.write(EventHeader.magic());
                client.setEventDeserializer(new Events(client, this));
                client.connect();
            } catch (IOException | GeneralSecurityException | RuntimeException why) {
                failure = why;
            }
        }

        @Override
        public synchronized int read() throws IOException {
            int next = super.read();
            if (next < 0) {
                requireWhole();
            }
            return next;
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
            int got = super.read(bytes, offset, length);
            if (got < 0) {
                requireWhole();
            }
            return got;
        }

        private void requireWhole() {
            if (!isWhole) {
                Exception why = failure;
                throw new S3Failure(file + " of " + server.host() + " cannot be fetched: "
                        + (why == null ? "it was broken off" : why.getMessage()));
            }
        }
    }

    /** Events as they come, without a look at what they say. */
    private static final class Events extends EventDeserializer {

        /** In the header: there is no such event in the file. */
        private static final int ARTIFICIAL = 0x20;

        private final BinaryLogClient client;
        private final Download download;
        private boolean hasBegun;

        Events(BinaryLogClient client, Download download) {
            this.client = client;
            this.download = download;
        }

        @Override
        public Event nextEvent(com.github.shyiko.mysql.binlog.io.ByteArrayInputStream from) throws IOException {
            if (download.isWhole) {
                throw new EOFException("no more is wanted");
            }
            byte[] header = from.read(EventHeader.BYTES);
            EventHeader event = EventHeader.of(header);
            Part body = new Part(from, event.bodyBytes());
            if ((event.flags() & ARTIFICIAL) == 0 && !event.isHeartbeat()) {
                pass(header, body);
            } else {
                body.transferTo(OutputStream.nullOutputStream());
            }
            if (event.type() == EventHeader.ROTATE && (event.flags() & ARTIFICIAL) != 0 && hasBegun) {
                download.isWhole = true;
                client.disconnect();
            }
            return new Event(told(event), new RotateEventData());
        }

        private void pass(byte[] header, InputStream body) throws IOException {
            hasBegun = true;
            try {
                download.received.write(header);
                body.transferTo(download.received);
            } catch (IOException unwanted) {
                client.disconnect();
                throw unwanted;
            }
        }

        /** What the client needs to know of it: nothing. */
        private static EventHeaderV4 told(EventHeader event) {
            EventHeaderV4 header = new EventHeaderV4();
            header.setEventType(EventType.UNKNOWN);
            header.setEventLength(EventHeader.BYTES + event.bodyBytes());
            return header;
        }
    }
}
