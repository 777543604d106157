package io.busbar.operator.mysqlcluster.bed;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Swallows all that is sent to some addresses of the loopback net, as where their machine has lost its cable: whoever
 * connects waits for an answer, and connections that there are stand still until the address is released. What is sent
 * from there still arrives. It is a network device that leads nowhere, made when it is first needed.
 *
 * <p>Any thread; blocks for a moment. Needs root and the program {@code ip}.
 */
final class BlackHole implements AutoCloseable {

    private final String device;
    private final Set<String> swallowed = ConcurrentHashMap.newKeySet();
    private boolean made;

    /** @param net of which the addresses are: nobody else on this machine has it */
    BlackHole(int net) {
        this.device = "busbar-bed" + net;
    }

    synchronized void swallow(String ip) {
        if (!made) {
            remove(); // of a process that did not get to
            ip("link", "add", device, "type", "bridge");
            ip("link", "set", device, "arp", "off", "up");
            run("sysctl", "-q", "-w", "net.ipv4.conf." + device + ".route_localnet=1");
            made = true;
        }
        if (swallowed.add(ip)) {
            ip("route", "add", ip + "/32", "dev", device, "table", "local");
        }
    }

    synchronized void release(String ip) {
        if (swallowed.remove(ip)) {
            ip("route", "del", ip + "/32", "dev", device, "table", "local");
        }
    }

    private void remove() {
        try {
            ip("link", "del", device);
        } catch (IllegalStateException absent) {
            // As it should be.
        }
    }

    private static void ip(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "ip";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        run(command);
    }

    private static void run(String... command) {
        try {
            Command.run(List.of(command), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** With the device go its routes. */
    @Override
    public synchronized void close() {
        if (made) {
            remove();
        }
    }
}
