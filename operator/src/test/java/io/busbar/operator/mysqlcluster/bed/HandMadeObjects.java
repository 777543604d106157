package io.busbar.operator.mysqlcluster.bed;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** Database servers and Jobs as an operator would make them, in YAML. Any thread. */
final class HandMadeObjects {

    static final String PASSWORD = "it's \\secret";

    static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata: {name: auth}
            stringData: {root-password: "it's \\\\secret"}
            """;

    static final String CONFIG = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: config}
            data:
              my.cnf: "[mysqld]\\nmax_connections=77\\nserver_id=1\\n"
              db-0.cnf: "[mysqld]\\nserver_id=100\\n"
              db-1.cnf: "[mysqld]\\nserver_id=101\\n"
            """;

    private static final String SERVERS = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: ((name))}
            spec:
              replicas: ((replicas))
              serviceName: ((name))
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: ((name))}}
              template:
                metadata: {labels: {app: ((name))}}
                spec:
                  nodeSelector: ((selector))
                  tolerations: [((toleration))]
                  terminationGracePeriodSeconds: 10
                  containers:
                  - name: mysql
                    image: ((image))
                    ports: [{containerPort: 3306}]
                    env:
                    - {name: MYSQL_ROOT_PASSWORD, valueFrom: {secretKeyRef: {name: auth, key: root-password}}}
                    - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                    readinessProbe: {tcpSocket: {port: 3306}}
                    volumeMounts:
                    - {name: data, mountPath: /var/lib/mysql}
                    - {name: config, mountPath: /etc/mysql/conf.d/10-all.cnf, subPath: my.cnf}
                    - {name: config, mountPath: /etc/mysql/conf.d/20-own.cnf, subPathExpr: $(POD_NAME).cnf}
                  volumes: [{name: config, configMap: {name: config}}]
              volumeClaimTemplates:
              - metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: ((name))}
            spec:
              backoffLimit: 0
              template:
                metadata: {labels: {app: ((name))}}
                spec:
                  nodeSelector: ((selector))
                  tolerations: [((toleration))]
                  restartPolicy: Never
                  volumes:
                  - {name: backup, hostPath: {path: ((backup)), type: Directory}}
                  - {name: config, configMap: {name: config}}
                  containers:
                  - name: job
                    image: mariadb:10.11
            """;

    private HandMadeObjects() {}

    static String servers(String name, Product product, int replicas, Map<String, String> selector) {
        return SERVERS.replace("((name))", name)
                .replace("((image))", product.image())
                .replace("((replicas))", Integer.toString(replicas))
                .replace("((toleration))", DatabaseNode.TOLERATION)
                .replace("((selector))", inline(selector));
    }

    /** @param container in YAML, without its name and image */
    static String job(String name, String container, Path backup, Map<String, String> selector) {
        return JOB.replace("((name))", name)
                        .replace("((backup))", backup.toString())
                        .replace("((toleration))", DatabaseNode.TOLERATION)
                        .replace("((selector))", inline(selector))
                + container.indent(8);
    }

    private static String inline(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + ": " + label.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
