package io.busbar.watcher.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves Pods of 4.4 KB from memory as fast as it can, in pages and as a watch; a process of its own, so that its heap
 * and its garbage are not the watcher's. Not imitated: everything else.
 */
public final class PodServer {

    private static final int PAGE = 500;

    private final Vertx vertx;
    private final int pods;
    private final List<Buffer> pages = new ArrayList<>();
    private final List<HttpServerResponse> watches = new ArrayList<>();
    private long version = 1_000_000;

    private PodServer(Vertx vertx, int pods) {
        this.vertx = vertx;
        this.pods = pods;
        for (int from = 0; from < pods; from += PAGE) {
            pages.add(page(from));
        }
    }

    /** Prints its port and serves until its input ends. */
    public static void main(String[] args) throws Exception {
        Vertx vertx = Vertx.vertx();
        PodServer server = new PodServer(vertx, Integer.parseInt(args[0]));
        int port = vertx.createHttpServer()
                .requestHandler(server::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get()
                .actualPort();
        System.out.println(port);
        while (System.in.read() >= 0) {
            // until the parent is gone
        }
        System.exit(0);
    }

    private void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        if (request.path().equals("/changes")) {
            change(Integer.parseInt(request.getParam("count")), Integer.parseInt(request.getParam("everyMillis")));
            response.end();
        } else if (request.getParam("sendInitialEvents") != null) {
            response.setStatusCode(422).end("{\"kind\":\"Status\",\"code\":422,\"message\":\"no streaming lists\"}");
        } else if (request.getParam("watch") != null) {
            response.setChunked(true)
                    .putHeader("Content-Type", "application/json")
                    .writeHead();
            watches.add(response);
            response.closeHandler(v -> watches.remove(response));
        } else {
            String next = request.getParam("continue");
            response.putHeader("Content-Type", "application/json")
                    .end(pages.get(next == null ? 0 : Integer.parseInt(next)));
        }
    }

    private void change(int count, int everyMillis) {
        int[] left = {count};
        vertx.setPeriodic(everyMillis, id -> {
            left[0]--;
            int number = (left[0] * 7919) % pods;
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            version++;
            String event = "{\"type\":\"MODIFIED\",\"object\":" + pod(number, version, micros) + "}\n";
            watches.forEach(watch -> watch.write(event));
            if (left[0] == 0) {
                vertx.cancelTimer(id);
            }
        });
    }

    private Buffer page(int from) {
        int to = Math.min(pods, from + PAGE);
        String next = to < pods ? ",\"continue\":\"" + (from / PAGE + 1) + "\"" : "";
        Buffer page = Buffer.buffer(
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1000000\"" + next
                        + "},\"items\":[");
        for (int i = from; i < to; i++) {
            page.appendString(i == from ? "" : ",").appendString(pod(i, i + 1, 0));
        }
        return page.appendString("]}");
    }

    private static String pod(int number, long version, long sentMicros) {
        String environment = "";
        for (int i = 0; i < 12; i++) {
            environment += (i == 0 ? "" : ",")
                    + "{\"name\":\"SETTING_%d\",\"value\":\"value-%d-of-%d\"}".formatted(i, i, number);
        }
        String uid = "%08x-0000-4000-8000-%012x".formatted(number, number);
        String json = """
                {"metadata":{"name":"web-7d4b9c6f5d-%1$06d","generateName":"web-7d4b9c6f5d-","namespace":"team-%2$d",\
                "uid":"%3$s","resourceVersion":"%4$d","creationTimestamp":"2026-01-01T00:00:00Z",\
                "labels":{"app":"web","app.kubernetes.io/name":"web","app.kubernetes.io/instance":"web-%2$d",\
                "pod-template-hash":"7d4b9c6f5d","tier":"frontend"},\
                "annotations":{"bench/sent":"%5$d","prometheus.io/scrape":"true","prometheus.io/port":"9090",\
                "checksum/config":"%3$s%3$s"},\
                "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b9c6f5d","uid":"%3$s",\
                "controller":true,"blockOwnerDeletion":true}]},\
                "spec":{"volumes":[{"name":"config","configMap":{"name":"web-config","defaultMode":420}},\
                {"name":"kube-api-access-%1$06d","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,\
                "path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],\
                "defaultMode":420}}],\
                "containers":[{"name":"web","image":"registry.example.com/web/server:1.27.%2$d",\
                "ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],"env":[%6$s],\
                "resources":{"limits":{"cpu":"500m","memory":"512Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},\
                "volumeMounts":[{"name":"config","mountPath":"/etc/web"},{"name":"kube-api-access-%1$06d","readOnly":true,\
                "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
                "livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},"initialDelaySeconds":10,\
                "timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},\
                "readinessProbe":{"httpGet":{"path":"/readyz","port":"http","scheme":"HTTP"},"timeoutSeconds":1,\
                "periodSeconds":5,"successThreshold":1,"failureThreshold":3},\
                "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
                "imagePullPolicy":"IfNotPresent","securityContext":{"runAsNonRoot":true,"readOnlyRootFilesystem":true}}],\
                "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",\
                "serviceAccountName":"web","serviceAccount":"web","nodeName":"node-%2$d","securityContext":{"fsGroup":1000},\
                "schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready",\
                "operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable",\
                "operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,\
                "enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},\
                "status":{"phase":"Running","conditions":[\
                {"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:01Z"},\
                {"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:05Z"},\
                {"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:05Z"},\
                {"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}],\
                "hostIP":"10.0.0.%2$d","podIP":"10.1.%2$d.7","podIPs":[{"ip":"10.1.%2$d.7"}],\
                "startTime":"2026-01-01T00:00:00Z","containerStatuses":[{"name":"web",\
                "state":{"running":{"startedAt":"2026-01-01T00:00:03Z"}},"lastState":{},"ready":true,"restartCount":0,\
                "image":"registry.example.com/web/server:1.27.%2$d",\
                "imageID":"registry.example.com/web/server@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",\
                "containerID":"containerd://%3$s%3$s","started":true}],"qosClass":"Burstable"}}""".formatted(number, number % 100, uid, version, sentMicros, environment);
        int missing = 4400 - json.getBytes(StandardCharsets.UTF_8).length;
        return missing <= 20
                ? json
                : json.replace("\"tier\":", "\"filler\":\"" + "x".repeat(missing - 12) + "\",\"tier\":");
    }
}
