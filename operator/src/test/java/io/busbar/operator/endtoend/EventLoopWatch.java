package io.busbar.operator.endtoend;

import io.vertx.core.impl.VertxThread;
import java.lang.Thread.State;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Finds what keeps an event loop of this JVM to itself for 200 ms, twice as long as what Vert.x would report, since the
 * machines of tests are slow: one task that has computed for most of that time, or that has waited in one and the same
 * place for all of it. What Vert.x would report as well, and is no fault of the task, is left out: a thread that had no processor, or that stood still while garbage
 * was collected; a task that was seen to load, link or initialise classes, which happens once; and all that was done
 * while this one's own looks came late, for then the machine had no time for anybody, and may count what others took of
 * it as the task's.
 *
 * <p>The sandbox's event loops are watched, too.
 */
final class EventLoopWatch implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    /** After which time a look is late. */
    private static final Duration LATE = Duration.ofMillis(60);
    /** Of the time that passes, since the first look comes late. */
    private static final double MOST = 0.7;

    /** Where classes are got ready for their first use. */
    private static final Set<String> LOADERS = Set.of("java.lang.ClassLoader", "java.lang.invoke.MethodHandleNatives");

    private static final Set<State> WAITING = Set.of(State.BLOCKED, State.WAITING, State.TIMED_WAITING);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Task> running = new HashMap<>();
    private final ConcurrentLinkedQueue<String> found = new ConcurrentLinkedQueue<>();
    private final Thread watch = new Thread(this::run, "event-loop-watch");
    private volatile boolean closed;

    /** What an event loop has been seen to do, for as long as it is the same. */
    private static final class Task {

        private final long started;
        private long cpuAtLast;
        private long computed;
        private long waitingSince = -1;
        private List<StackTraceElement> waitsAt = List.of();
        private boolean loadsClasses;
        private boolean reported;

        Task(long started, long cpu) {
            this.started = started;
            this.cpuAtLast = cpu;
        }
    }

    EventLoopWatch() {
        watch.setDaemon(true);
        watch.start();
    }

    /** What was found since this was asked last, with the places in the code. */
    List<String> found() {
        List<String> taken = List.copyOf(found);
        found.removeAll(taken);
        return taken;
    }

    @Override
    public void close() {
        closed = true;
        watch.interrupt();
    }

    private void run() {
        try {
            while (!closed) {
                Set<Thread> loops = Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread instanceof VertxThread loop && !loop.isWorker())
                        .collect(Collectors.toSet());
                running.keySet().retainAll(loops);
                long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                long last = System.nanoTime();
                while (System.nanoTime() < until) {
                    boolean late = System.nanoTime() - last > LATE.toNanos();
                    last = System.nanoTime();
                    loops.forEach(loop -> look((VertxThread) loop, late));
                    Thread.sleep(BETWEEN_LOOKS.toMillis());
                }
            }
        } catch (InterruptedException stop) {
            // As it should be.
        }
    }

    private void look(VertxThread loop, boolean late) {
        long started = loop.startTime();
        long now = System.nanoTime();
        long cpu = threads.getThreadCpuTime(loop.getId());
        Task task = running.get(loop);
        if (started == 0) {
            running.remove(loop);
            return;
        }
        if (task == null || task.started != started) {
            task = new Task(started, cpu);
            running.put(loop, task);
        }
        if (late) {
            task.waitingSince = -1;
        } else {
            task.computed += cpu - task.cpuAtLast;
        }
        task.cpuAtLast = cpu;
        lookForWaits(loop, task, now);
        task.loadsClasses |= Arrays.stream(loop.getStackTrace()).anyMatch(EventLoopWatch::loadsClass);
        if (task.reported || task.loadsClasses || now - started < LIMIT.toNanos()) {
            return;
        }
        boolean computed = task.computed > MOST * LIMIT.toNanos();
        boolean waited = task.waitingSince > 0 && now - task.waitingSince > LIMIT.toNanos();
        if (computed || waited) {
            StackTraceElement[] stack = loop.getStackTrace();
            if (loop.startTime() == started) { // else that is the stack of something else
                task.reported = true;
                found.add(report(loop, computed ? "has computed" : "has waited", now - started, stack));
            }
        }
    }

    private static boolean loadsClass(StackTraceElement frame) {
        return LOADERS.contains(frame.getClassName()) || frame.getMethodName().equals("<clinit>");
    }

    private static void lookForWaits(VertxThread loop, Task task, long now) {
        if (!WAITING.contains(loop.getState())) {
            task.waitingSince = -1;
            return;
        }
        List<StackTraceElement> stack = List.of(loop.getStackTrace());
        if (task.waitingSince < 0 || !stack.equals(task.waitsAt)) {
            task.waitingSince = now;
            task.waitsAt = stack;
        }
    }

    private static String report(Thread loop, String how, long nanos, StackTraceElement[] stack) {
        return loop.getName() + " " + how + " in a task of "
                + Duration.ofNanos(nanos).toMillis() + " ms, at\n"
                + Arrays.stream(stack).map(frame -> "    " + frame).collect(Collectors.joining("\n"));
    }
}
