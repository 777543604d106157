package io.busbar.operator.mysqlcluster.contents;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Scope;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrantSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.runtime.bundle.Webhook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Refuse what no server takes, what is not for users to have, and changes of what an object stands for. Any thread. */
public final class ContentValidators {

    static final Validator<MySQLDatabase> DATABASES = new Rules<>(ContentValidators::problems, (before, after) -> {
        List<FieldProblem> problems = new ArrayList<>();
        Names.unchanged(
                "spec.clusterRef",
                before.getSpec().clusterRef(),
                after.getSpec().clusterRef(),
                problems);
        Names.unchanged("spec.name", before.databaseName(), after.databaseName(), problems);
        return problems;
    });

    static final Validator<MySQLUser> USERS = new Rules<>(ContentValidators::problems, (before, after) -> {
        List<FieldProblem> problems = new ArrayList<>();
        Names.unchanged(
                "spec.clusterRef",
                before.getSpec().clusterRef(),
                after.getSpec().clusterRef(),
                problems);
        Names.unchanged("spec.name", before.userName(), after.userName(), problems);
        Names.unchanged("spec.host", before.getSpec().host(), after.getSpec().host(), problems);
        return problems;
    });

    static final Validator<MySQLGrant> GRANTS = new Rules<>(ContentValidators::problems, (before, after) -> {
        List<FieldProblem> problems = new ArrayList<>();
        Names.unchanged(
                "spec.clusterRef",
                before.getSpec().clusterRef(),
                after.getSpec().clusterRef(),
                problems);
        Names.unchanged("spec.user", before.getSpec().user(), after.getSpec().user(), problems);
        Names.unchanged(
                "spec.database", before.getSpec().database(), after.getSpec().database(), problems);
        Names.unchanged("spec.table", before.getSpec().table(), after.getSpec().table(), problems);
        return problems;
    });

    private ContentValidators() {}

    public static List<Webhook> webhooks() {
        return List.of(
                Webhook.validating(MySQLDatabase.class, DATABASES),
                Webhook.validating(MySQLUser.class, USERS),
                Webhook.validating(MySQLGrant.class, GRANTS));
    }

    private static List<FieldProblem> problems(MySQLDatabase database) {
        List<FieldProblem> problems = new ArrayList<>();
        Names.database("spec.name", database.databaseName(), problems);
        Names.encoding("spec.characterSet", database.getSpec().characterSet(), problems);
        Names.encoding("spec.collate", database.getSpec().collate(), problems);
        return problems;
    }

    private static List<FieldProblem> problems(MySQLUser user) {
        List<FieldProblem> problems = new ArrayList<>();
        Names.user("spec.name", user.userName(), problems);
        if (user.userName().equals(ClusterNames.APPLICATION)) {
            problems.add(FieldProblem.invalid(
                    "spec.name", user.userName(), "must not be the account that each MySQLCluster makes by itself"));
        }
        Names.host("spec.host", user.getSpec().host(), problems);
        return problems;
    }

    private static List<FieldProblem> problems(MySQLGrant grant) {
        MySQLGrantSpec spec = grant.getSpec();
        List<FieldProblem> problems = new ArrayList<>();
        Names.user("spec.user.name", spec.user().name(), problems);
        Names.host("spec.user.host", spec.user().host(), problems);
        if (spec.database().equals("*")) {
            problems.add(FieldProblem.invalid(
                    "spec.database",
                    "*",
                    "must be the name of one database: rights in all of them let an account read the server's own, and"
                            + " some write to read-only servers"));
        }
        Names.database("spec.database", spec.database(), problems);
        Names.table("spec.table", spec.table(), problems);
        privileges(spec, problems);
        return problems;
    }

    private static void privileges(MySQLGrantSpec spec, List<FieldProblem> problems) {
        Set<String> known = spec.table().equals(Scope.ALL_TABLES) ? Names.OF_DATABASE : Names.OF_TABLE;
        Set<String> seen = new HashSet<>();
        if (spec.privileges().isEmpty()) {
            problems.add(FieldProblem.required("spec.privileges", "must have one of: " + String.join(", ", known)));
        }
        for (int i = 0; i < spec.privileges().size(); i++) {
            String path = "spec.privileges[" + i + "]";
            String word = spec.privileges().get(i);
            String privilege = Names.privilege(word);
            if (!known.contains(privilege)) {
                problems.add(FieldProblem.notSupported(path, word, String.join(", ", known)));
            }
            if (!seen.add(privilege)) {
                problems.add(FieldProblem.duplicate(path, word));
            }
        }
        if (seen.contains(Names.ALL) && seen.size() > 1) {
            problems.add(FieldProblem.forbidden("spec.privileges", "must have nothing beside ALL, which has all"));
        }
    }

    /** What is wrong with a change. */
    private interface Changes<T> {
        List<FieldProblem> between(T before, T after);
    }

    private record Rules<T>(Function<T, List<FieldProblem>> problems, Changes<T> changes) implements Validator<T> {

        @Override
        public Verdict create(T object, AdmissionRequest request) {
            return Verdict.of(problems.apply(object));
        }

        /** What was let through by an older operator must not keep its author from changing something else. */
        @Override
        public Verdict update(T before, T after, AdmissionRequest request) {
            List<FieldProblem> found = new ArrayList<>(problems.apply(after));
            found.removeAll(problems.apply(before));
            found.addAll(changes.between(before, after));
            return Verdict.of(found);
        }
    }
}
