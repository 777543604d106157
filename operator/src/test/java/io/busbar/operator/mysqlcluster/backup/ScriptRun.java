package io.busbar.operator.mysqlcluster.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.bed.Programs;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a Job's command has come to on this machine. Its image is not imitated: the machine's own programs run.
 *
 * <p>Immutable.
 *
 * @param exitCode 0 when it succeeded
 * @param report what it left in its termination log
 */
record ScriptRun(int exitCode, JsonNode report) {

    /**
     * @param password of the account that it logs in with
     * @param programs that it finds
     * @param storage where backups are kept, or what the Job shares with another container
     */
    static ScriptRun of(Job job, String password, Programs programs, Path storage, Path folder)
            throws IOException, InterruptedException {
        Path terminationLog = Files.createTempFile(folder, "termination", ".log");
        ProcessBuilder process = new ProcessBuilder(ClusterJobs.container(job).getCommand()).redirectErrorStream(true);
        for (EnvVar variable : ClusterJobs.container(job).getEnv()) {
            if (variable.getValue() != null) {
                process.environment().put(variable.getName(), variable.getValue());
            }
        }
        process.environment().put("PATH", programs.path());
        process.environment().put("MYSQL_PWD", password);
        process.environment().put("STORAGE", storage.toString());
        process.environment().put("PIPE", storage.toString());
        process.environment().put("TERMINATION_LOG", terminationLog.toString());
        process.environment().put("TMPDIR", folder.toString());
        Process running = process.start();
        running.getInputStream().readAllBytes();
        int exitCode = running.waitFor();
        return new ScriptRun(exitCode, new ObjectMapper().readTree(Files.readString(terminationLog, UTF_8)));
    }

    String said(String key) {
        return report.path(key).asText();
    }
}
