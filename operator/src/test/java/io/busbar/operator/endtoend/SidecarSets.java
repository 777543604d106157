package io.busbar.operator.endtoend;

import java.util.Arrays;
import java.util.stream.Collectors;

/** YAML of SidecarSets and Pods, the short way. Immutable. */
final class SidecarSets {

    private SidecarSets() {}

    /**
     * A SidecarSet for Pods labelled {@code app=NAME}.
     *
     * @param spec further members of the spec, in YAML, indented by nothing
     */
    static String set(String name, String spec) {
        return """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata:
                  name: %s
                spec:
                  selector:
                    matchLabels:
                      app: %s
                %s""".formatted(name, name, indented(spec, 2));
    }

    /** The same with one sidecar, {@code NAME-proxy}, of an image. */
    static String oneSidecar(String name, String image, String spec) {
        return set(name, "containers:\n- name: " + name + "-proxy\n  image: " + image + "\n" + spec);
    }

    /** A Pod labelled {@code app=APP} with one container, {@code app}. */
    static String pod(String namespace, String name, String app) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: %s
                  labels:
                    app: %s
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: app
                    image: example/app:1
                """.formatted(name, namespace, app);
    }

    private static String indented(String text, int spaces) {
        return Arrays.stream(text.split("\n"))
                .map(line -> " ".repeat(spaces) + line)
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
