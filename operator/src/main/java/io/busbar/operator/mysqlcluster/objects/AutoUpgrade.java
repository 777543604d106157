package io.busbar.operator.mysqlcluster.objects;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks MariaDB's image to upgrade the tables of data that an older release has left; MySQL does so unasked. Members of
 * an older operator that have not been asked are not restarted for this alone: they are with the next change of their
 * image or settings, and what that is taken back to stays as it was. Pure; any thread.
 */
final class AutoUpgrade {

    private static final String CONTAINER = "mysql";
    private static final String VARIABLE = "MARIADB_AUTO_UPGRADE";

    private AutoUpgrade() {}

    /** Whether members run, or are to run, what is wanted but for this. */
    static boolean isToBeLeftOut(PodTemplateSpec wanted, Optional<StatefulSet> there, List<Pod> pods) {
        Optional<Server> asked = Server.of(wanted.getSpec());
        return Stream.concat(
                        there.map(set -> set.getSpec().getTemplate().getSpec()).stream(),
                        pods.stream().map(Pod::getSpec).filter(Objects::nonNull))
                .flatMap(spec -> Server.of(spec).stream())
                .anyMatch(server -> server.isUnasked(asked.orElseThrow()));
    }

    static void leaveOut(PodTemplateSpec template) {
        template.getSpec()
                .getContainers()
                .forEach(container -> container.getEnv().removeIf(AutoUpgrade::isIt));
    }

    private static boolean isIt(EnvVar variable) {
        return VARIABLE.equals(variable.getName());
    }

    /** @param settings names of the objects that they are in */
    private record Server(String image, List<String> settings, boolean isAsked) {

        /** Others may have put containers of theirs before it. */
        static Optional<Server> of(PodSpec spec) {
            List<String> settings = spec.getVolumes().stream()
                    .map(Volume::getConfigMap)
                    .filter(Objects::nonNull)
                    .map(source -> source.getName())
                    .filter(Objects::nonNull)
                    .toList();
            return spec.getContainers().stream()
                    .filter(container -> CONTAINER.equals(container.getName()))
                    .findFirst()
                    .map(container -> new Server(
                            String.valueOf(container.getImage()),
                            settings,
                            container.getEnv().stream().anyMatch(AutoUpgrade::isIt)));
        }

        boolean isUnasked(Server asked) {
            return !isAsked && image.equals(asked.image) && settings.containsAll(asked.settings);
        }
    }
}
