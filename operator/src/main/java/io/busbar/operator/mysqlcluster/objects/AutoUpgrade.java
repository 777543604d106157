package io.busbar.operator.mysqlcluster.objects;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Optional;

/**
 * Asks MariaDB's image to upgrade the tables of data that an older release has left; MySQL does so unasked. Members of
 * an older operator that have not been asked are not restarted for this alone: they are with the next change of their
 * image or settings, and what that is taken back to stays as it was. Pure; any thread.
 */
final class AutoUpgrade {

    private static final String VARIABLE = "MARIADB_AUTO_UPGRADE";

    private AutoUpgrade() {}

    /** Whether members run, or are to run, what is wanted but for this. */
    static boolean isToBeLeftOut(PodTemplateSpec wanted, Optional<StatefulSet> there, List<Pod> pods) {
        RunServer asked = RunServer.of(wanted.getSpec()).orElseThrow();
        return RunServer.all(there, pods)
                .anyMatch(server -> !isAsked(server)
                        && server.image().equals(asked.image())
                        && server.settings().containsAll(asked.settings()));
    }

    static void leaveOut(PodTemplateSpec template) {
        template.getSpec()
                .getContainers()
                .forEach(container -> container.getEnv().removeIf(AutoUpgrade::isIt));
    }

    private static boolean isAsked(RunServer server) {
        return server.container().getEnv().stream().anyMatch(AutoUpgrade::isIt);
    }

    private static boolean isIt(EnvVar variable) {
        return VARIABLE.equals(variable.getName());
    }
}
